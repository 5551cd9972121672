"""Deterministic inputs for the real programs, of any size: the same bytes on every machine."""
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
LUA_SCRIPT = os.path.join(HERE, "workload.lua")
LUA_ERRORS_SCRIPT = os.path.join(HERE, "workload_errors.lua")

# Lua hashes with a seed from the clock, and by addresses: counts would differ from run to run and
# from build to build. The two lines make both constant before anything, plain too, is built.
LUA_STEADY = ("sed -i 's/= luai_makeseed(L)/= ((void)luai_makeseed, 1u)/' src/lstate.c && "
              "sed -i 's/^#define point2uint(p).*/#define point2uint(p) ((void)(p), 0u)/' "
              "src/llimits.h")


def text(size, seed=1):
    """Words with the skewed frequencies of prose, so that a compressor has work to do."""
    generator = random.Random(seed)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = ["".join(generator.choice(letters[:6 + index % 20])
                     for _ in range(2 + index % 9)) for index in range(2000)]
    lines, length = [], 0
    while length < size:
        count = 5 + int(generator.random() * 9)
        line = " ".join(words[int(2000 * generator.random() ** 3)] for _ in range(count))
        lines.append(line)
        length += len(line) + 1
    return ("\n".join(lines) + "\n").encode()[:size]


def sql(rows, seed=2):
    """Tables, indices, joins, aggregates, updates, triggers, text functions, a recursive query."""
    generator = random.Random(seed)
    lines = ["CREATE TABLE item(id INTEGER PRIMARY KEY, kind INT, weight REAL, name TEXT);",
             "CREATE TABLE sale(id INTEGER PRIMARY KEY, item INT, amount INT, day INT);",
             "CREATE TABLE log(note TEXT);",
             "CREATE TRIGGER watch AFTER DELETE ON sale WHEN old.amount > 90"
             " BEGIN INSERT INTO log VALUES('gone ' || old.id); END;", "BEGIN;"]
    for index in range(rows):
        lines.append("INSERT INTO item VALUES(%d,%d,%.3f,'name %d');" %
                     (index, generator.randrange(20), generator.random() * 100,
                      generator.randrange(rows)))
        for _ in range(3):
            lines.append("INSERT INTO sale(item,amount,day) VALUES(%d,%d,%d);" %
                         (generator.randrange(rows), generator.randrange(100),
                          generator.randrange(365)))
    lines += ["COMMIT;", "CREATE INDEX by_item ON sale(item);", "CREATE INDEX by_day ON sale(day);",
              "SELECT kind, count(*), sum(amount), round(avg(weight),4) FROM item JOIN sale"
              " ON sale.item=item.id GROUP BY kind ORDER BY 3 DESC;",
              "SELECT name, upper(substr(name,2,4)), length(name) FROM item"
              " WHERE name LIKE '%7%' ORDER BY name, id LIMIT 20;",
              "UPDATE item SET weight=weight*1.5 WHERE kind IN (SELECT kind FROM item"
              " WHERE id%7=0);",
              "DELETE FROM sale WHERE day BETWEEN 100 AND 140;", "SELECT count(*) FROM log;",
              "WITH RECURSIVE n(i,f) AS (SELECT 1,1 UNION ALL SELECT i+1,(f*(i+1))%%1000003 FROM n"
              " WHERE i<%d) SELECT max(f), min(f), sum(f) FROM n;" % (rows * 5),
              "SELECT a.kind, b.kind, count(*) FROM item a JOIN item b ON a.kind=b.kind"
              " AND a.id<b.id AND b.weight>120 GROUP BY 1 ORDER BY 3 DESC LIMIT 5;",
              "SELECT day, sum(amount) OVER (ORDER BY day, id ROWS 5 PRECEDING) FROM sale"
              " ORDER BY day, id LIMIT 30;",
              "SELECT json_group_array(day) FROM (SELECT DISTINCT day FROM sale ORDER BY day"
              " LIMIT 10);", "PRAGMA integrity_check;"]
    return ("\n".join(lines) + "\n").encode()
