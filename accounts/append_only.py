"""Triggers that let a table only be added to, on SQLite and PostgreSQL. For migrations.

PostgreSQL's TRUNCATE is left: it needs the owner of the table, who could take the triggers away as well.
"""

WORDS = "The audit log is only added to."


def triggers(vendor: str, table: str) -> list[str]:
    """The statements that make them."""
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{WORDS}'); END"
            for verb in ("update", "delete")
        ]
    return [
        f"CREATE FUNCTION {table}_is_kept() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'check_violation'; END $$",
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_is_kept()",
    ]


def without(vendor: str, table: str) -> list[str]:
    """The statements that take them away."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {table}_no_{verb}" for verb in ("update", "delete")]
    return [f"DROP TRIGGER {table}_kept ON {table}", f"DROP FUNCTION {table}_is_kept()"]
