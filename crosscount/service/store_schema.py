"""The tables. A question that failed or was cancelled may be asked again; one that is open or answered has one job."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    request TEXT NOT NULL,
    client TEXT NOT NULL,
    status TEXT NOT NULL,
    lane INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    lease REAL,
    created REAL NOT NULL,
    started REAL,
    finished REAL,
    reason TEXT NOT NULL DEFAULT '',
    progress TEXT,
    result TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0,
    kept_all INTEGER NOT NULL DEFAULT 0,
    kept_bytes INTEGER NOT NULL DEFAULT 0,
    dtype TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX IF NOT EXISTS one_job_a_question ON jobs (key) WHERE status IN ('queued', 'running', 'done');
CREATE INDEX IF NOT EXISTS open_jobs ON jobs (status, lane, created) WHERE status IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS jobs_with_solutions ON jobs (finished) WHERE kept_bytes > 0;
CREATE TABLE IF NOT EXISTS asks (job TEXT NOT NULL, client TEXT NOT NULL, PRIMARY KEY (job, client)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (client TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (job, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solutions (
    job TEXT NOT NULL, start INTEGER NOT NULL, count INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (job, start)
);
CREATE TABLE IF NOT EXISTS artifacts (
    job TEXT NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (job, name)
);
"""
