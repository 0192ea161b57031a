import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes that this process takes up, after garbage was collected. */
export async function ownMemory(): Promise<number> {
  // what is finalized is only free after another turn
  for (let round = 0; round < 5; round++) {
    await new Promise(setImmediate)
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
