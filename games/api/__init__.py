"""What programs read: exported matches, own data, and the read-only interface under /api/v1/. It writes no game."""
