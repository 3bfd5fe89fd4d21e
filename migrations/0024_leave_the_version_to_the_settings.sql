DROP TRIGGER `plants_raise_version_on_update`;
