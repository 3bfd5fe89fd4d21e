/** Seoul, 2 March 2026, noon. */
const NOON = Date.UTC(2026, 2, 2, 3);
const MINUTE = 60_000;

/**
 * What a laboratory would have stored by the time of each migration: SQL that fills what that migration brought, so
 * that each table and each column of it holds something. A new migration needs an entry; '' where it brought nothing.
 * Never change an entry of a released version: it is what that version wrote.
 */
export const rowsSince: Record<'DB' | 'PLANTS_DB', Record<string, string>> = {
  DB: {
    '0000_initial.sql': `
    INSERT INTO users (id, sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at) VALUES
      (1, 'sub-1', 'garam@lab.test', '서가람', '20210001', ${NOON - 9000}, 1, ${NOON - 10000}),
      (2, 'sub-2', 'maru@lab.test', '남마루', NULL, NULL, 3, ${NOON - 8000}),
      (7, 'sub-7', 'saebom@lab.test', '백새봄 👩‍🔬', '202100022', NULL, 5, ${NOON - 7000});
    INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_used_at) VALUES
      (1, '${'a'.repeat(64)}', 1, 'Mozilla/5.0', ${NOON - 5000}, ${NOON}), (4, '${'b'.repeat(64)}', 7, '', ${NOON}, ${NOON});
    INSERT INTO first_admins (email) VALUES ('garam@lab.test');
    INSERT INTO used_tokens (token_hash, expires_at) VALUES ('${'e'.repeat(64)}', ${NOON + 3_630_000});
    INSERT INTO number_claims (id, user_id, at) VALUES (4, 7, ${NOON});
    INSERT INTO access_log (id, at, actor_id, address, action, subject, subject_id, detail, request_id) VALUES
      (1, ${NOON}, 1, '192.0.2.7', 'change', 'user', '7', '{"secure_level":[8,5]}', 'r-1'), (2, ${NOON}, NULL, 'operator', 'read', 'student', NULL, '{}', NULL);
    INSERT INTO log_reviews (id, month, at, reviewer_id, remark) VALUES (3, '2026-02', ${NOON}, 1, '이상 없음');
    INSERT INTO courses (id, year, semester, subject, subject_en, target, target_etc, target_etc_en) VALUES
      (1, 2025, 1, '임베디드 시스템', 'Embedded Systems', 3, '', ''), (3, 2026, 4, '특강 ''겨울''', 'Winter "special"', 0, '누구나', 'Anyone');
    UPDATE courses SET subject = '임베디드 시스템 설계' WHERE id = 1;
    INSERT INTO students (id, name, department, tel, email) VALUES
      ('20230001', '한별하', '컴퓨터과학과', '010-0000-0001', 'byeolha@univ.test'), ('20230002', '=도라지', '', '', '');
    INSERT INTO imports (id, at, user_id, year, semester, subject, added, changed, unchanged, removed) VALUES
      (3, ${NOON}, 1, 2026, 1, '임베디드 시스템', 1, 1, 0, 0);
    INSERT INTO import_rows (import_id, student_id, student_before, student_after, enrolment_before, enrolment_after, last_import_before, last_term_before) VALUES
      (3, '20230001', '["한별하","컴퓨터과학과","010-0000-0001","byeolha@univ.test"]', '["한별하","인공지능학과","010-0000-0001","byeolha@univ.test"]', '[1,2,"재학"]', '[1,3,"재학"]', 2, 20252),
      (3, '20230003', NULL, '["오솔길","컴퓨터과학과","",""]', NULL, '[2,3,"휴학"]', NULL, NULL);
    INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type) VALUES ('20230002', 2025, 2, '논리회로', 4, 2, '재학');
    UPDATE students SET tel = '010-0000-0009' WHERE id = '20230002';
    UPDATE enrolments SET type = '휴학' WHERE student_id = '20230002';
    INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at) VALUES
      ('20230001', 'image/jpeg', 41234, 'e1', 600, 800, ${NOON});
    INSERT INTO subjects (department, year, semester, id, name, grade, type, score, prof, time, classroom, etc) VALUES
      ('cs', 2026, 'spring', 'CS301', '운영체제', 3, '전필', 3, '나교수', '월1,2', '공학관 101', ''),
      ('swg', 2026, 'fall', 'SG701', '세미나', 0, '전선', 1.5, '', '', '', '격주');
    INSERT INTO subject_imports (id, at, user_id, department, year, semester) VALUES (2, ${NOON}, 1, 'cs', 2026, 'spring');
    INSERT INTO ledger_entries (id, amount, datetime, description, category) VALUES
      (1, 300000, '2026-03-02T13:00:00', '랩비 3월', ''), (2, -45900, '2026-03-03T13:00:00', '간식 ☕', '다과'),
      (9, 1000000000000, '2026-03-03T13:00:00', '큰 돈', ''), (10, -700, '2026-03-04T13:00:00', '', '');
    UPDATE ledger_entries SET description = '랩비 3월분' WHERE id = 1;
    INSERT INTO ledger_keys (user_id, key, body_hash, entry_id) VALUES (2, 'key-1', '${'c'.repeat(64)}', 1), (2, 'key-2', '${'d'.repeat(64)}', 5);
    INSERT INTO ledger_history (id, entry_id, version, amount, datetime, description, category, replaced_at, replaced_by) VALUES
      (3, 2, 1, -49500, '2026-03-03T13:00:00', '간식', '', ${NOON}, 2);
    INSERT INTO ledger_imports (id, at, user_id, run) VALUES (4, ${NOON}, 2, 'run-1');
    INSERT INTO ledger_import_entries (entry_id, import_id) VALUES (1, 4), (5, 4);
    INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES
      ('${'0f'.repeat(16)}', 2, '영수증.pdf', 'application/pdf', 12345, ${NOON});
    INSERT INTO dues (id, year, semester, user_id, name, entry_id, amount, user_deleted_at) VALUES
      (1, 2026, 1, 7, '백새봄', 1, 100000, NULL), (2, 2026, 1, NULL, '떠난 사람', NULL, NULL, ${NOON});
    INSERT INTO alerts (key, kind, name, detail, since, well_since, over_at, told_at) VALUES
      ('board:fern', 'board', 'fern', NULL, ${NOON - 9000}, ${NOON - 4000}, ${NOON - 1000}, ${NOON}),
      ('spool:greenhouse', 'spool', 'greenhouse', '남은 공간 310.0 MB', ${NOON}, NULL, NULL, NULL);
    INSERT INTO backups (id, at, ok, rows, files, bytes) VALUES (1, ${NOON - 86_400_000}, 1, 4321, 2, 98765), (2, ${NOON}, 0, NULL, NULL, NULL);
    INSERT INTO drills (id, at, ok, made_at, rows, files) VALUES (1, ${NOON}, 0, NULL, NULL, NULL), (2, ${NOON + 5}, 1, ${NOON - 7}, 4321, 2);
    INSERT INTO task_runs (name, started_at, finished_at, ok, failure) VALUES
      ('retention', ${NOON}, ${NOON + 900}, 0, 'Error: D1_ERROR'), ('watch', ${NOON}, NULL, NULL, NULL), ('rollups', ${NOON}, ${NOON + 30}, 1, NULL);
    INSERT INTO database_days (day, size, plants_size, readings) VALUES ('2026-03-01', 42000000, 31000000, 864000);
    INSERT INTO receivers (id, kind, name, address, every_plant, line, quiet_from, quiet_to, created_at, told_at) VALUES
      (1, 'slack', '온실 채널', 'https://hooks.slack.com/services/made-up', 1, 1, NULL, NULL, ${NOON}, ${NOON + 5}),
      (2, 'mail', '가온', 'gaon@lab.test', 0, 0, '22:00', '07:00', ${NOON}, NULL);
    INSERT INTO receiver_topics (receiver_id, topic) VALUES (2, 'fern'), (2, 'gone');
    INSERT INTO outbox (receiver_id, key, kind, name, since, over_at, told_at, next_at, tries, failure, dropped_at) VALUES
      (1, 'dry:fern', 'dry', 'fern', ${NOON}, NULL, ${NOON + 5}, NULL, 0, NULL, NULL),
      (2, 'dry:fern', 'dry', 'fern', ${NOON}, ${NOON + 9}, NULL, ${NOON + 20}, 3, 'answered 500', NULL),
      (2, 'board:fern', 'board', 'fern', ${NOON}, NULL, NULL, NULL, 13, 'too late', ${NOON + 30});`,
    '0001_keep_what_an_import_listed.sql': `
    UPDATE import_rows SET student_listed = student_after;
    UPDATE import_rows SET corrected = '{"student":{"to":["오솔길","컴퓨터과학과","010-0000-0003",""],"cells":[2]},"enrolment":null}'
    WHERE student_id = '20230003';`,
    '0002_keep_what_was_shown.sql': `
    UPDATE students SET by_hand = '{"tel":"010-0000-0009"}' WHERE id = '20230002';
    UPDATE import_rows SET student_shown = student_after;`,
    '0003_keep_the_words_of_the_pages.sql': `
    INSERT INTO content_draft (id, version, content) VALUES (1, 7, '{"lab":{"name":{"ko":"","en":"Lab"}}}');
    INSERT INTO content_versions (id, content, publications, at, user_id) VALUES
      (3, '{"lab":{"name":{"ko":"","en":"Old"}}}', '{"all":[],"selected":[],"bibtex":""}', ${NOON}, 1);`,
    '0004_keep_deleted_entries.sql': `
    INSERT INTO deleted_entries (id, entry, history, receipts, deleted_at) VALUES
      (12, '{"amount":-5500,"datetime":"2026-03-05T13:00:00","description":"택배","category":"","version":2}',
       '[{"version":1,"amount":-5000,"datetime":"2026-03-05T13:00:00","description":"택배","category":"","replaced_at":1,"replaced_by":2}]',
       '[{"id":"${'0e'.repeat(16)}","name":"영수증.pdf","content_type":"application/pdf","size":5,"uploaded_at":2}]', ${NOON});`,
    '0005_index_corrected_numbers.sql': '',
    '0006_keep_earlier_timetables.sql': '',
  },
  PLANTS_DB: {
    '0000_initial.sql': `
    INSERT INTO plants (id, name) VALUES (1, 'fern'), (2, 'moss'), (5, '바질'), (6, '/6');
    UPDATE plants SET name = '이끼' WHERE id = 2;
    WITH RECURSIVE steps (n) AS (SELECT 299 UNION ALL SELECT n - 1 FROM steps WHERE n > 0)
    INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
    SELECT 1 + n % 2, ${NOON} - n * 17 * ${MINUTE}, n, 300 + n % 400, ${NOON} - n * 17 * ${MINUTE} + 40,
      iif(n % 50 = 0, n * 1000, NULL) FROM steps;
    INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time) VALUES
      (2, ${NOON + MINUTE}, 0, 1020, ${NOON + MINUTE}, NULL);
    INSERT INTO bridge_keys (id, bridge_id, key, plants, created_at, revoked_at) VALUES
      (1, 'greenhouse', '${'k'.repeat(43)}', '["fern","moss"]', 1, ${NOON}), (2, 'greenhouse', '${'l'.repeat(43)}', NULL, ${NOON}, NULL);
    INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until, spool_depth, spool_oldest_at, spool_dead,
        signed_at, broker_heard_at, spool_known_at, spool_state, over_quota, over_quota_at, version, certificate_until,
        disk_free, disk_size, boards_passed_over, dead_at, dead_boards) VALUES
      ('greenhouse', 1, ${NOON}, ${NOON + 75_000}, 3, ${NOON - 9000}, 1, ${NOON - 1000}, ${NOON - 9000}, ${NOON}, 'full',
        '[{"plant":"fern","waiting":12000,"refused":0}]', ${NOON}, '0.1.0', ${NOON + 86_400_000}, 310000000, 31000000000, 7,
        ${NOON}, '[{"plant":"fern","messages":3}]');
    INSERT INTO plant_log (id, at, actor_id, address, action, subject, subject_id, detail, request_id) VALUES
      (3, ${NOON}, 1, '192.0.2.7', 'change', 'plant', '1', '{"plant":"fern","is_hidden":[0,1]}', 'r-2');
    INSERT INTO plant_removals (plant_id, name, removed_at, readings_left) VALUES (6, 'thyme', ${NOON}, 12);
    INSERT INTO plant_retention (id, since) VALUES (1, ${NOON - 400 * 86_400_000});
    UPDATE plant_rollup_watermark SET until = ${NOON - 3_600_000};
    WITH widths (width) AS (VALUES (300000), (1800000), (10800000), (86400000))
    INSERT INTO plant_rollups (plant_id, width, start, count, sum, lowest, highest)
    SELECT plant_id, width, measured_at - measured_at % width AS bucket, count(*), sum(soil_moisture),
      min((soil_moisture << 42) + measured_at), max((soil_moisture << 42) + measured_at)
    FROM widths, plant_readings WHERE measured_at - measured_at % width + width <= ${NOON - 3_600_000}
    GROUP BY plant_id, width, bucket;
    UPDATE plant_states SET dry = 900, wet = 250, alert_below = 22.5, board_online = 1, board_at = ${NOON}, is_public = 1 WHERE plant_id = 1;
    UPDATE plant_states SET is_hidden = 1 WHERE plant_id = 2;
    UPDATE plant_states SET alert_since = iif(plant_id = 1, ${NOON}, NULL), waterings_until = ${NOON - 3_600_000},
      readings = (SELECT count(*) FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id),
      last_received_at = (SELECT max(received_at) FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id),
      (last_measured_at, last_seq, last_soil_moisture) = (SELECT measured_at, seq, soil_moisture
        FROM plant_readings AS one WHERE one.plant_id = plant_states.plant_id ORDER BY measured_at DESC, seq DESC LIMIT 1);
    INSERT INTO plant_waterings (plant_id, before_at, before, top_at, top) VALUES
      (1, ${NOON - 8_000_000}, 700, ${NOON - 6_500_000}, 410), (2, ${NOON - 5_100_000}, 600, ${NOON - 4_900_000}, 20);`,
    '0001_remember_removed_topics.sql': `
    INSERT INTO removed_topics (topic, removed_at) VALUES ('thyme', ${NOON});
    UPDATE bridge_heartbeats SET boards_reconnecting = '["fern"]';`,
    '0002_tell_the_story_of_plants.sql': `
    UPDATE plant_states SET story = '{"every":1020000,"level":null,"fault":{"kind":"out","since":${NOON}},"faults":[],"waterings":[],"dry":null,"forecast":null,"range":null,"calibration":null,"silent_after_ms":3600000,"clock_off_ms":null}',
      judged_at = ${NOON}, judged_readings = readings WHERE plant_id = 1;`,
    '0003_name_plants_in_english.sql': "UPDATE plant_states SET name_en = 'Basil' WHERE plant_id = 1;",
    '0004_let_admins_ask_bridges.sql': `
    UPDATE bridge_heartbeats SET tasks = '["replay"]';
    INSERT INTO bridge_tasks (id, bridge_id, task, created_at, taken_at, done_at, result) VALUES
      (1, 'greenhouse', '{"kind":"replay","ids":[4]}', ${NOON}, ${NOON + 9000}, ${NOON + 9500}, '{"ok":true,"text":"1 put back"}'),
      (2, 'greenhouse', '{"kind":"dead_letters"}', ${NOON}, NULL, NULL, NULL);`,
    '0005_count_what_a_key_brings.sql': `
    UPDATE bridge_keys SET sent_rows = 42, sent_day = 20000 WHERE id = 2;
    UPDATE plants SET brought_by = 2 WHERE id = 1;`,
    '0006_find_waterings_again.sql': `INSERT INTO plant_waterings (plant_id, before_at, before, top_at, top) VALUES (1, ${NOON}, 700, ${NOON + 5}, 410)`,
  },
};
