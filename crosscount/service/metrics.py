"""What Prometheus reads from /metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counted from when the service started; only the number of open jobs comes from the store."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "crosscount_requests", "Answered requests", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "crosscount_request_seconds",
            "Seconds until the head of an answer",
            ["route"],
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
            registry=self.registry,
        )
        self.questions = Counter(
            "crosscount_questions",
            "Questions asked: new, known (one job had it already) or refused (a quota)",
            ["operation", "outcome"],
            registry=self.registry,
        )
        self.finished = Counter("crosscount_jobs_ended", "Jobs that have ended", ["status"], registry=self.registry)
        self.jobs = Gauge("crosscount_jobs", "Jobs that wait or run", ["status"], registry=self.registry)
        self.restarts = Gauge(
            "crosscount_pool_restarts", "Restarts of the process that runs jobs", registry=self.registry
        )
        self.ready = Gauge("crosscount_pool_ready", "Whether jobs are being run", registry=self.registry)

    def asked(self, operation: str, outcome: str) -> None:
        self.questions.labels(operation, outcome).inc()

    def ended(self, status: str) -> None:
        self.finished.labels(status).inc()

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self, open_jobs: dict[str, int], restarts: int, ready: bool) -> bytes:
        """Everything, with what only the caller knows."""
        for status, count in open_jobs.items():
            self.jobs.labels(status).set(count)
        self.restarts.set(restarts)
        self.ready.set(ready)
        return generate_latest(self.registry)
