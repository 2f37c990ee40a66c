"""The pages for people."""

from fastapi import APIRouter

router = APIRouter()
