"""requests-cache: responses of HTTP in SQLite, and its decision at every read."""

import io
import json
from datetime import datetime, timedelta, timezone

from requests import Request
from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from urllib3 import HTTPResponse

from steering import steer


class RequestsCache:
    # Nobody listens there: what is not in the cache is an error.
    SOURCE = "http://127.0.0.1:9/"

    def __init__(self, folder):
        folder.mkdir()
        self.session = CachedSession(
            folder / "responses.sqlite", backend="sqlite", wal=True, expire_after=86_400
        )
        self.transaction = self.session.cache.responses.bulk_commit
        self.close = self.session.close
        self.adapter = HTTPAdapter()

    def read(self, key):
        return self.session.get(self.SOURCE + key).json()

    def prepare(self, key, value):
        request = self.session.prepare_request(Request("GET", self.SOURCE + key))
        raw = HTTPResponse(
            body=io.BytesIO(json.dumps(value).encode()),
            headers={"Content-Type": "application/json"},
            status=200,
            reason="OK",
            preload_content=False,
        )
        response = self.adapter.build_response(request, raw)
        assert response.content
        return response, datetime.now(timezone.utc) + timedelta(days=1)

    def store(self, prepared):
        response, expires = prepared
        self.session.cache.save_response(response, expires=expires)


steer(RequestsCache)
