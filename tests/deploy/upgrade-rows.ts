/** Seoul, 2 March 2026, noon. */
export const NOON = Date.UTC(2026, 2, 2, 3);
const MINUTE = 60_000;

/**
 * What a laboratory would have stored by the time of each migration: SQL that fills what that migration brought, so
 * that each table and each column of it holds something. A new migration needs an entry; '' where it brought nothing.
 * Never change an old entry: it is what an old version wrote.
 */
export const rowsSince: Record<string, string> = {
  '0000_create_users_courses_plants_and_bridges.sql': `
    INSERT INTO users (id, sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at) VALUES
      (1, 'sub-1', 'garam@lab.test', '서가람', '20210001', ${NOON - 9000}, 1, ${NOON - 10000}),
      (2, 'sub-2', 'maru@lab.test', '남마루', NULL, NULL, 3, ${NOON - 8000}),
      (7, 'sub-7', 'saebom@lab.test', '백새봄 👩‍🔬', '202100022', NULL, 5, ${NOON - 7000});
    INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_used_at) VALUES
      (1, '${'a'.repeat(64)}', 1, 'Mozilla/5.0', ${NOON - 5000}, ${NOON}), (4, '${'b'.repeat(64)}', 7, '', ${NOON}, ${NOON});
    INSERT INTO courses (id, year, semester, subject, subject_en, target, target_etc) VALUES
      (1, 2025, 1, '임베디드 시스템', 'Embedded Systems', 3, ''), (3, 2026, 4, '특강 ''겨울''', 'Winter "special"', 0, '누구나');
    INSERT INTO plants (id, name) VALUES (1, 'fern'), (2, 'moss'), (5, '바질');
    WITH RECURSIVE steps (n) AS (SELECT 299 UNION ALL SELECT n - 1 FROM steps WHERE n > 0)
    INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
    SELECT 1 + n % 2, ${NOON} - n * 17 * ${MINUTE}, n, 300 + n % 400, ${NOON} - n * 17 * ${MINUTE} + 40,
      iif(n % 50 = 0, n * 1000, NULL) FROM steps;
    INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time) VALUES
      (2, ${NOON + MINUTE}, 0, 1020, ${NOON + MINUTE}, NULL);
    INSERT INTO bridge_keys (id, bridge_id, key, plants, created_at, revoked_at) VALUES
      (1, 'greenhouse', '${'k'.repeat(43)}', '["fern","moss"]', 1, ${NOON}), (2, 'greenhouse', '${'l'.repeat(43)}', NULL, ${NOON}, NULL);
    INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until) VALUES
      ('greenhouse', 1, ${NOON}, ${NOON + 75_000});`,
  '0001_add_roster_access_log_and_last_admin.sql': `
    INSERT INTO access_log (id, at, actor_id, address, action, subject, subject_id, detail) VALUES
      (1, ${NOON}, 1, '192.0.2.7', 'change', 'user', '7', '{"before":8,"after":5}'), (2, ${NOON}, NULL, 'operator', 'read', 'student', NULL, '{}');
    INSERT INTO students (id, name, department, tel, email) VALUES
      ('20230001', '한별하', '컴퓨터과학과', '010-0000-0001', 'byeolha@univ.test'), ('20230002', '=도라지', '', '', '');`,
  '0002_add_enrolments_pictures_and_subjects.sql': `
    INSERT INTO imports (id, at, year, semester, subject, added, changed, unchanged, removed) VALUES
      (3, ${NOON}, 2026, 1, '임베디드 시스템', 1, 1, 0, 0);
    INSERT INTO import_rows (import_id, student_id, student_before, student_after, enrolment_before, enrolment_after) VALUES
      (3, '20230001', '["한별하","컴퓨터과학과","010-0000-0001","byeolha@univ.test"]', '["한별하","인공지능학과","010-0000-0001","byeolha@univ.test"]', '[1,2,"재학"]', '[1,3,"재학"]'),
      (3, '20230003', NULL, '["오솔길","컴퓨터과학과","",""]', NULL, '[2,3,"휴학"]');
    INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type) VALUES ('20230002', 2025, 2, '논리회로', 4, 2, '재학');
    INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at) VALUES
      ('20230001', 'image/jpeg', 41234, 'e1', 600, 800, ${NOON});
    INSERT INTO subjects (department, year, semester, id, name, grade, type, score, prof, time, classroom, etc) VALUES
      ('cs', 2026, 'spring', 'CS301', '운영체제', 3, '전필', 3, '나교수', '월1,2', '공학관 101', ''),
      ('swg', 2026, 'fall', 'SG701', '세미나', 0, '전선', 1.5, '', '', '', '격주');`,
  '0003_remember_first_admins.sql': `INSERT INTO first_admins (email) VALUES ('garam@lab.test');`,
  '0004_add_ledger_receipts_and_dues.sql': `
    INSERT INTO ledger_entries (id, amount, datetime, description) VALUES
      (1, 300000, '2026-03-02T13:00:00', '랩비 3월'), (2, -45900, '2026-03-03T13:00:00', '간식 ☕'), (9, 1000000000000, '2026-03-03T13:00:00', '큰 돈');
    INSERT INTO ledger_keys (user_id, key, body_hash, entry_id) VALUES (2, 'key-1', '${'c'.repeat(64)}', 1), (2, 'key-2', '${'d'.repeat(64)}', 5);
    INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES
      ('${'0f'.repeat(16)}', 2, '영수증.pdf', 'application/pdf', 12345, ${NOON});
    INSERT INTO dues (id, year, semester, user_id, name, entry_id) VALUES
      (1, 2026, 1, 7, '백새봄', 1), (2, 2026, 1, NULL, '떠난 사람', NULL);`,
  '0005_keep_any_range_of_plants_at_hand.sql': `
    INSERT INTO plant_retention (id, since) VALUES (1, ${NOON - 400 * 86_400_000});
    UPDATE plant_states SET dry = 900, wet = 250, board_online = 1, board_at = ${NOON} WHERE plant_id = 1;
    UPDATE bridge_heartbeats SET spool_depth = 3, spool_oldest_at = ${NOON - 9000}, spool_dead = 1;`,
  '0006_tag_the_ledger.sql': '',
  '0007_watch_over_the_product.sql': `
    INSERT INTO alerts (key, kind, name, since, well_since, over_at, told_at) VALUES
      ('board:fern', 'board', 'fern', ${NOON - 9000}, ${NOON - 4000}, ${NOON - 1000}, ${NOON}), ('spool:greenhouse', 'spool', 'greenhouse', ${NOON}, NULL, NULL, NULL);
    INSERT INTO backups (id, at, ok, rows, files, bytes) VALUES (1, ${NOON - 86_400_000}, 1, 4321, 2, 98765), (2, ${NOON}, 0, NULL, NULL, NULL);
    INSERT INTO task_runs (name, started_at, finished_at, ok) VALUES ('retention', ${NOON}, ${NOON + 900}, 1), ('watch', ${NOON}, NULL, NULL);
    INSERT INTO access_log (id, at, actor_id, address, action, subject, request_id) VALUES (3, ${NOON}, 1, '192.0.2.7', 'read', 'course', 'r-1');
    UPDATE dues SET user_deleted_at = ${NOON} WHERE id = 2;`,
  '0008_remember_the_last_term_of_students.sql': `UPDATE import_rows SET last_term_before = 20252;`,
  '0009_keep_what_bridges_know_apart.sql': `
    INSERT INTO alerts (key, kind, name, since) VALUES ('broker:greenhouse', 'broker', 'greenhouse', ${NOON});
    UPDATE bridge_heartbeats SET signed_at = ${NOON - 1000}, broker_heard_at = ${NOON - 9000}, spool_known_at = ${NOON}, spool_state = 'full';`,
  '0010_know_the_newest_enrolment.sql': `
    UPDATE import_rows SET last_import_before = 2 WHERE student_id = '20230001';`,
  '0011_allow_empty_descriptions.sql': `
    INSERT INTO ledger_entries (id, amount, datetime, description) VALUES (10, -700, '2026-03-04T13:00:00', '');`,
  '0012_add_english_targets.sql': `UPDATE courses SET target_etc_en = 'Anyone' WHERE id = 3;`,
  '0013_limit_tokens_claims_and_names.sql': `
    INSERT INTO used_tokens (token_hash, expires_at) VALUES ('${'e'.repeat(64)}', ${NOON + 3_630_000});
    INSERT INTO number_claims (id, user_id, at) VALUES (4, 7, ${NOON});`,
  '0014_keep_words_out_of_the_log.sql': '',
  '0015_tell_of_boards_over_their_quota.sql': `
    UPDATE bridge_heartbeats SET over_quota = '[{"plant":"fern","waiting":12000,"refused":0}]', over_quota_at = ${NOON};`,
  '0016_sign_months_of_the_log_off.sql': `
    INSERT INTO log_reviews (id, month, at, reviewer_id, remark) VALUES (3, '2026-02', ${NOON}, 1, '이상 없음');`,
  '0017_number_versions_of_records.sql': `
    UPDATE courses SET subject = '임베디드 시스템 설계' WHERE id = 1;
    UPDATE plant_states SET alert_below = 22.5 WHERE plant_id = 1;
    UPDATE ledger_entries SET description = '랩비 3월분' WHERE id = 1;`,
  '0018_list_and_undo_imports.sql': `
    UPDATE imports SET user_id = 1;
    INSERT INTO subject_imports (id, at, user_id, department, year, semester) VALUES (2, ${NOON}, 1, 'cs', 2026, 'spring');
    INSERT INTO ledger_imports (id, at, user_id, run) VALUES (4, ${NOON}, 2, 'run-1');
    INSERT INTO ledger_import_entries (entry_id, import_id) VALUES (1, 4), (5, 4);`,
  '0019_count_unconfirmed_numbers.sql': '',
  '0020_correct_and_divide_entries.sql': `
    INSERT INTO ledger_history (id, entry_id, version, amount, datetime, description, category, replaced_at, replaced_by) VALUES
      (3, 2, 1, -49500, '2026-03-03T13:00:00', '간식', '', ${NOON}, 2);
    UPDATE ledger_entries SET category = '다과' WHERE id = 2;
    UPDATE dues SET amount = 100000 WHERE id = 1;`,
  '0021_number_versions_of_students.sql': `
    UPDATE students SET tel = '010-0000-0009' WHERE id = '20230002';
    UPDATE enrolments SET type = '휴학' WHERE student_id = '20230002';`,
  '0022_open_a_plant_to_the_public.sql': `UPDATE plant_states SET is_public = 1 WHERE plant_id = 1;`,
  '0023_let_plants_be_renamed_and_removed.sql': `
    UPDATE plants SET name = '이끼' WHERE id = 2;
    UPDATE plant_states SET is_hidden = 1 WHERE plant_id = 2;
    INSERT INTO plants (id, name, topic) VALUES (6, '/6', '/6');
    DELETE FROM plant_states WHERE plant_id = 6;
    INSERT INTO plant_removals (plant_id, name, removed_at, readings_left) VALUES (6, 'thyme', ${NOON}, 12);`,
  '0024_leave_the_version_to_the_settings.sql': '',
  '0025_tell_receivers_of_alerts.sql': `
    INSERT INTO receivers (id, kind, name, address, every_plant, line, quiet_from, quiet_to, created_at, told_at) VALUES
      (1, 'slack', '온실 채널', 'https://hooks.slack.com/services/made-up', 1, 1, NULL, NULL, ${NOON}, ${NOON + 5}),
      (2, 'mail', '가온', 'gaon@lab.test', 0, 0, '22:00', '07:00', ${NOON}, NULL);
    INSERT INTO receiver_plants (receiver_id, plant_id) VALUES (2, 1);
    INSERT INTO outbox (receiver_id, key, kind, name, since, over_at, told_at, next_at, tries, failure, dropped_at) VALUES
      (1, 'dry:fern', 'dry', 'fern', ${NOON}, NULL, ${NOON + 5}, NULL, 0, NULL, NULL),
      (2, 'dry:fern', 'dry', 'fern', ${NOON}, ${NOON + 9}, NULL, ${NOON + 20}, 3, 'answered 500', NULL),
      (2, 'board:fern', 'board', 'fern', ${NOON}, NULL, NULL, NULL, 13, 'too late', ${NOON + 30});`,
  '0026_remember_chosen_plants_by_topic.sql': `
    INSERT OR IGNORE INTO receiver_topics (receiver_id, topic) VALUES (2, 'fern'), (2, 'gone');`,
  '0027_tell_versions_of_bridges.sql': `UPDATE bridge_heartbeats SET version = '0.1.0';`,
  '0028_tell_of_what_comes_to_an_end.sql': `
    UPDATE alerts SET detail = '남은 공간 310.0 MB' WHERE kind = 'spool';
    UPDATE bridge_heartbeats SET certificate_until = ${NOON + 86_400_000}, disk_free = 310000000, disk_size = 31000000000,
      dead_at = ${NOON}, dead_boards = '[{"plant":"fern","messages":3}]';
    UPDATE task_runs SET failure = 'Error: D1_ERROR' WHERE name = 'retention';
    INSERT INTO database_days (day, size, readings) VALUES ('2026-03-01', 42000000, 864000);`,
  '0029_record_drills.sql': `
    INSERT INTO drills (id, at, ok, made_at, rows, files) VALUES (1, ${NOON}, 0, NULL, NULL, NULL), (2, ${NOON + 5}, 1, ${NOON - 7}, 4321, 2);`,
  '0030_write_rollups_when_they_are_over.sql': `
    INSERT OR REPLACE INTO task_runs (name, started_at, finished_at, ok) VALUES ('rollups', ${NOON}, ${NOON + 30}, 1);
    UPDATE plant_rollup_watermark SET until = ${NOON - 3_600_000};
    DELETE FROM plant_rollups;
    WITH widths (width) AS (VALUES (300000), (1800000), (10800000), (86400000))
    INSERT INTO plant_rollups (plant_id, width, start, count, sum, lowest, highest)
    SELECT plant_id, width, measured_at - measured_at % width AS bucket, count(*), sum(soil_moisture),
      min((soil_moisture << 42) + measured_at), max((soil_moisture << 42) + measured_at)
    FROM widths, plant_readings WHERE measured_at - measured_at % width + width <= ${NOON - 3_600_000}
    GROUP BY plant_id, width, bucket;
    UPDATE plant_states SET alert_since = iif(plant_id = 1, ${NOON}, NULL),
      readings = (SELECT count(*) FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id),
      last_received_at = (SELECT max(received_at) FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id),
      (last_measured_at, last_seq, last_soil_moisture) = (SELECT measured_at, seq, soil_moisture
        FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id ORDER BY measured_at DESC, seq DESC LIMIT 1);`,
  '0031_keep_what_the_queue_refused.sql': `
    INSERT INTO refused_readings (reading, reason, refused_at) VALUES ('{"plant":"고사리","soil_moisture":7}', 'another value is stored', ${NOON});`,
  '0032_know_the_size_of_the_plants.sql': `
    UPDATE database_days SET plants_size = 31000000;`,
  '0033_leave_the_plants_apart.sql': '',
};

/** The same of PLANTS_DB's migrations; what stands there besides was moved from DB. */
export const plantsRowsSince: Record<string, string> = {
  '0000_keep_plants_apart.sql': `
    INSERT INTO plant_log (id, at, actor_id, address, action, subject, subject_id, detail, request_id) VALUES
      (3, ${NOON}, 1, '192.0.2.7', 'change', 'plant', NULL, '{"plant":"fern","is_hidden":[0,1]}', 'r-2');`,
  '0001_keep_the_rises_of_plants.sql': `
    INSERT INTO plant_rises (plant_id, seen_at, before_at, before, top_at, top, is_watering) VALUES
      (1, ${NOON - 7_000_000}, ${NOON - 8_000_000}, 700, ${NOON - 6_500_000}, 410, 1), (1, ${NOON - 5_000_000}, ${NOON - 5_100_000}, 600, ${NOON - 4_900_000}, 20, 0);
    INSERT INTO plant_rise_backlog (plant_id, since, changes) VALUES (2, ${NOON - 5_400_000}, 1);
    UPDATE plant_rollup_watermark SET rises_until = ${NOON - 3_600_000}, rises_step = 4;`,
  '0002_let_keys_speak_for_a_group.sql': `
    INSERT INTO bridge_keys (id, bridge_id, key, plant_group, plants, created_at) VALUES
      (3, 'moss-pi', '${'m'.repeat(43)}', 'moss-lab', '["moss-lab/fern"]', ${NOON});
    INSERT INTO plants (id, name, topic) VALUES (21, 'moss-lab/고사리', 'moss-lab/fern');`,
  '0003_keep_old_months_in_r2.sql': `
    INSERT INTO plant_months (plant_id, start, until, digest, readings, is_emptied) VALUES
      (1, ${Date.UTC(2025, 10, 1)}, ${Date.UTC(2025, 11, 1)}, '${'0f'.repeat(16)}', 43200, 1),
      (2, ${Date.UTC(2025, 11, 1)}, ${Date.UTC(2026, 0, 1)}, '${'1e'.repeat(16)}', 7, 0);`,
  '0004_tell_of_boards_passed_over.sql': `UPDATE bridge_heartbeats SET boards_passed_over = 7;`,
  '0005_hold_plants_in_several_databases.sql': `
    INSERT INTO plant_homes (plant_group, home, moving_to) VALUES ('ivy-lab', 'PLANTS_DB_2', NULL);
    INSERT INTO plant_groups_gone (plant_group, closed_at) VALUES ('ivy-lab', ${NOON});`,
};

/** What tells one change from another, by chance or by counting: it depends on which triggers saw the change. */
export const CHANGE_COLUMNS = new Set([
  'roster_version.tag',
  'ledger_version.tag',
  'courses.version',
  'plant_states.version',
  'ledger_entries.version',
  'students.version',
]);

/**
 * By migration: columns, as `table.column`, whose content it changes or drops on purpose. A test of its own must show
 * what becomes of it.
 */
export const CHANGED_ON_PURPOSE: Record<string, string[]> = {
  // The list shows the course imported last from then on: who has kept it asks anew.
  '0010_know_the_newest_enrolment.sql': ['roster_version.tag'],
  // Intervals that are not over go: they are written when they are.
  '0030_write_rollups_when_they_are_over.sql': [
    'plant_id',
    'width',
    'start',
    'count',
    'sum',
    'lowest',
    'highest',
  ].map((column) => `plant_rollups.${column}`),
};
