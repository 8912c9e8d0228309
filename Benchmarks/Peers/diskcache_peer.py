"""diskcache: a dictionary in SQLite, with an expiry for each key; values are pickled."""

import diskcache

from steering import steer


class DiskCache:
    def __init__(self, folder):
        self.cache = diskcache.Cache(folder)
        self.read = self.cache.get
        self.transaction = self.cache.transact
        self.close = self.cache.close

    def prepare(self, key, value):
        return key, value

    def store(self, prepared):
        self.cache.set(*prepared, expire=86_400)


steer(DiskCache)
