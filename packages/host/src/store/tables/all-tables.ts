import type { Migrations } from '../migrations.ts'
import { acceptanceTables } from './acceptance-table.ts'
import { processTables } from './caller-process-table.ts'
import { catalogueTables } from './catalogue-tables.ts'
import { chatTables } from './conversation-table.ts'
import { inboxTables } from './inbox-tables.ts'
import { ledgerTables } from './ledger-tables.ts'
import { modelTables } from './model-use-table.ts'
import { outcomeTables } from './outcome-table.ts'
import { pipeTables } from './pipe-run-table.ts'
import { principalTables } from './principal-tables.ts'
import { programTables } from './program-table.ts'
import { proofTables } from './proof-tables.ts'
import { savedRequestTables } from './saved-request-table.ts'
import { spillTables } from './spill-table.ts'
import { taintTables } from './taint-table.ts'
import { taskTables } from './task-tables.ts'

/**
 * The tables of all parts of the host, in its only database. A room with several tables has its steps in
 * `<room>-tables.ts`. Rooms that rename or change tables come first: SQLite then reads every table there is once more.
 */
export const allTables: readonly Migrations[] = [
  taskTables,
  catalogueTables,
  inboxTables,
  ledgerTables,
  principalTables,
  programTables,
  acceptanceTables,
  spillTables,
  modelTables,
  taintTables,
  chatTables,
  pipeTables,
  outcomeTables,
  proofTables,
  processTables,
  savedRequestTables,
]
