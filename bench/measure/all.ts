import { client } from './client.ts'
import { cluster } from './cluster.ts'
import { command } from './command.ts'
import { console } from './console.ts'
import { contract } from './contract.ts'
import { eventParsing } from './event-parsing.ts'
import { firstAnswer } from './first-answer.ts'
import { floods } from './floods.ts'
import { footprint } from './footprint.ts'
import { gateway } from './gateway.ts'
import { generator } from './generator.ts'
import { growthSessions, growthTools } from './growth.ts'
import { heap } from './heap.ts'
import { httpCall } from './http-call.ts'
import { httpList } from './http-list.ts'
import { httpProgress } from './http-progress.ts'
import { importTime } from './import-time.ts'
import type { Measurement } from './measurement.ts'
import { memory } from './memory.ts'
import { runningHost } from './running-host.ts'
import { stdioCall } from './stdio-call.ts'
import { typeCheck } from './type-check.ts'

/** Everything that is measured, in the order it is reported. */
export const measurements: readonly Measurement[] = [
  httpCall,
  httpProgress,
  httpList,
  stdioCall,
  contract,
  memory,
  cluster,
  client,
  eventParsing,
  firstAnswer,
  importTime,
  footprint,
  command,
  heap,
  typeCheck,
  growthTools,
  growthSessions,
  gateway,
  floods,
  runningHost,
  console,
  generator,
]
