/** A host in a process of its own, in front of one good server and 17 hostile ones: `flooded-host.ts FOLDER`. */
import { setTimeout as wait } from 'node:timers/promises'
import { Host } from '../../src/assembly/host.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec } from '../gateway/running-host.ts'
import { hostile, type Weight } from './hostile-servers.ts'

async function main(folder: string): Promise<void> {
  const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
  const well = programSpec('well')
  const host = new Host({ folder, servers: [well], rules: [allow], unattended: true })
  await host.start()
  await host.accept('well')
  host.maxCallsPerMinute = Number.POSITIVE_INFINITY
  const { token } = await host.principals.make({ name: 'editor' })
  const orders: { readonly [order: string]: () => Promise<unknown> } = {
    async begin() {
      await host.apply([well, ...Object.keys(hostile).map(hostileSpec)])
      // one after the other, since all at once take longer to start than they may on a slow machine
      for (const name of Object.keys(hostile)) await host.accept(name)
    },
    throttled: async () => host.servers.status.filter(({ throttled }) => throttled !== undefined).length,
    stop: () => Promise.all(Object.keys(hostile).map((name) => host.servers.get(name)?.stop())),
    weigh,
  }
  process.on('message', async (order: string) => process.send?.({ [order]: (await orders[order]?.()) ?? 'done' }))
  process.on('disconnect', () => void host.close().then(() => process.exit()))
  process.send?.({ place: { url: host.url, token } })
}

async function weigh(): Promise<Weight> {
  for (let round = 0; round < 6; round += 1) {
    globalThis.gc?.()
    await wait(50)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss: rss / 1e6, kept: (heapUsed + external) / 1e6 }
}

function hostileSpec(name: string): ServerSpec {
  const [program = '', kind = ''] = name.split('-')
  const spec = programSpec(name, program)
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, kind] } }
}

if (import.meta.main) await main(process.argv[2] ?? '')
