import type { DatabaseSync } from 'node:sqlite'

/** Index of the ledger's words. It holds no text of its own. */
const index = `CREATE VIRTUAL TABLE ledger_search
  USING fts5(words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`

/** Words of a payload are deleted with it, for any cause; the rest of its act is indexed again later. */
const triggers = `CREATE TRIGGER IF NOT EXISTS ledger_payload_forgotten AFTER DELETE ON ledger_payload BEGIN
    INSERT OR IGNORE INTO ledger_search_due (number)
      SELECT number FROM ledger_line
      WHERE number <= (SELECT up_to FROM ledger_search_state)
        AND (number = OLD.line OR act = (SELECT act FROM ledger_line WHERE number = OLD.line));
    DELETE FROM ledger_search WHERE rowid IN (
      SELECT number FROM ledger_line
      WHERE number = OLD.line OR act = (SELECT act FROM ledger_line WHERE number = OLD.line));
  END;
  CREATE TRIGGER IF NOT EXISTS ledger_line_removed AFTER DELETE ON ledger_line BEGIN
    DELETE FROM ledger_search WHERE rowid = OLD.number;
    DELETE FROM ledger_search_due WHERE number = OLD.number;
  END`

/** Tables in which FTS5 keeps the words of an index. */
const kept = ['ledger_search_data', 'ledger_search_idx', 'ledger_search_docsize']

/** True if this SQLite can search words: that of Node can from 22.16 on. */
export function hasFullText(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined
}

/**
 * Makes the index where words can be searched. Elsewhere it empties one that was made before, since nothing would delete the
 * words of forgotten payloads from it; it is made anew when words can be searched again.
 */
export function prepareSearch(database: DatabaseSync, canSearch = hasFullText(database)): void {
  if (!canSearch) return emptyIndex(database)
  if (isEmptied(database)) database.exec('DROP TABLE IF EXISTS ledger_search; UPDATE ledger_search_state SET up_to = 0')
  if (!isThere(database, 'ledger_search')) database.exec(index)
  database.exec(triggers)
}

function emptyIndex(database: DatabaseSync): void {
  database.exec('DROP TRIGGER IF EXISTS ledger_payload_forgotten; DROP TRIGGER IF EXISTS ledger_line_removed')
  for (const table of kept) if (isThere(database, table)) database.exec(`DELETE FROM ${table}`)
  database.exec('DELETE FROM ledger_search_due; UPDATE ledger_search_state SET up_to = -1, has_remains = 0')
}

function isEmptied(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM ledger_search_state WHERE up_to < 0').get() !== undefined
}

function isThere(database: DatabaseSync, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined
}
