/** A host in a process of its own, which counts its objects once all garbage is gone: `measured-host.ts FOLDER`. */
import { getHeapSpaceStatistics } from 'node:v8'
import { Host } from '../../src/assembly/host.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec } from '../gateway/running-host.ts'

/** Objects that the host keeps. */
export interface Kept {
  /** Objects on the heap, without the code that the engine compiles when it becomes hot. */
  readonly heapBytes: number
  readonly calls: number
  readonly watched: number
  readonly sockets: number
  /** Starts of its server, which callers that come or go must not cause. */
  readonly starts: number
}

const [folder = ''] = process.argv.splice(2)
const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const shelf = programSpec('one', 'shelf')
if (shelf.launch.kind !== 'program') throw new Error('It is a program')
const one = { ...shelf, launch: { ...shelf.launch, args: [...shelf.launch.args, 'one'] } }
const host = new Host({ folder, servers: [one, programSpec('two')], rules: [allow] })
await host.start()
for (const server of ['one', 'two']) await host.accept(server)
host.maxCallsPerMinute = Number.POSITIVE_INFINITY
const { token } = await host.principals.make({ name: 'editor' })
process.send?.({ url: host.url, token })

process.on('message', () => void tell())
process.on('disconnect', () => void host.close())

async function tell(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const kept: Kept = {
    heapBytes: objectBytes(),
    calls: host.calls.size,
    watched: host.watchers.size,
    sockets: process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length,
    starts: host.servers.status.reduce((sum, { starts }) => sum + starts, 0),
  }
  process.send?.(kept)
}

function objectBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) =>
    /^(?:new_|old_|(?:new_)?large_object_)/.test(name),
  )
  return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0)
}
