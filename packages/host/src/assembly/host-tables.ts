import { catalogueTables } from '../catalogue/tables.ts'
import { chatTables } from '../chat/tables.ts'
import { acceptanceTables } from '../config/layers/acceptances.ts'
import { principalTables } from '../gateway/principals/tables.ts'
import { processTables } from '../gateway/processes/tables.ts'
import { proofTables } from '../inbox/proof/tables.ts'
import { inboxTables } from '../inbox/tables.ts'
import { ledgerTables } from '../ledger/tables.ts'
import { modelTables } from '../model/tables.ts'
import { pipeTables } from '../pipe/tables.ts'
import { taintTables } from '../policy/taint-tables.ts'
import { spillTables } from '../relay/spills/tables.ts'
import { taskTables } from '../relay/tasks/tables.ts'
import { outcomeTables } from '../relay/terms/tables.ts'
import { programTables } from '../servers/programs/program-table.ts'
import type { Migrations } from '../store/migrations.ts'

/** The tables of all parts of the host, in its only database. */
export const hostTables: readonly Migrations[] = [
  ledgerTables,
  inboxTables,
  catalogueTables,
  principalTables,
  acceptanceTables,
  programTables,
  spillTables,
  modelTables,
  taintTables,
  chatTables,
  taskTables,
  pipeTables,
  outcomeTables,
  proofTables,
  processTables,
]
