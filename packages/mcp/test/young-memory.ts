import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc')

/** Bytes of what some work made that are left once young objects are collected, as it happens many times a second. */
export function keptByYoungCollections(work: () => void): number {
  collect()
  const before = getHeapStatistics().used_heap_size
  work()
  for (let time = 0; time < 2; time++) collect({ type: 'minor' })
  return getHeapStatistics().used_heap_size - before
}
