/** Counts the round trips of each operation of stores, and compares them with the table of the guide. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { ClusterStores } from '../../src/stores/cluster.ts'

const guide = new URL('../../../../docs/cluster.md', import.meta.url)
const task = { id: 't', createdAt: 1, updatedAt: 1, expiresAt: null, status: 'working', work: {} } as const
const owner = { owner: 'a', leaseMs: 60_000 }
const effect = { call: 'c', key: 'k' }
const attempt = { attempt: 'one', leaseMs: 60_000, expiresAt: Date.now() + 60_000 }
const change = { key: 'k', message: { jsonrpc: '2.0', method: 'notifications/initialized' } } as const
const rates = ['server', 'ann'].map((key) => ({ key, intervalMs: 1, burst: 1_000 }))
const question = { kind: 'question', key: 'q', value: {} } as const
let proof = 0

/** One of each operation, in an order in which they can follow each other again and again. */
const operations: readonly (readonly [name: string, run: (stores: ClusterStores) => unknown])[] = [
  ['sessions.save', ({ sessions }) => sessions.save('s', { alias: 'a', messages: [] })],
  ['sessions.read', ({ sessions }) => sessions.read('s')],
  ['sessions.version', ({ sessions }) => sessions.version('s')],
  ['sessions.change', ({ sessions }) => sessions.change('s', change)],
  ['sessions.drop', ({ sessions }) => sessions.drop('s')],
  ['events.appendIf', ({ events }) => events.appendIf('e', { number: 1, data: 'x' }, { writer: 'a' })],
  ['events.appendNext', ({ events }) => events.appendNext('e', 'x')],
  ['events.after', ({ events }) => events.after('e', 0)],
  ['events.head', ({ events }) => events.head('e')],
  ['events.drop', ({ events }) => events.drop('e')],
  ['limiter.take', ({ limiter }) => limiter.take(rates)],
  ['proofs.use', ({ proofs }) => proofs.use(`${++proof}`, 60_000)],
  ['presence.beat', ({ presence }) => presence.beat({ epoch: 'a', server: 'weather', sealingKeys: [] }, 60_000)],
  ['presence.isLive', ({ presence }) => presence.isLive('a')],
  ['inbox.post', ({ inbox }) => inbox.post(['a', 'b'], 'x')],
  ['inbox.take', ({ inbox }) => inbox.take('a', 0)],
  ['bell.ring', ({ bell }) => bell.ring(['a', 'b'])],
  ['presence.leave', ({ presence }) => presence.leave('a')],
  ['tasks.createOwned', ({ tasks }) => tasks?.createOwned(task, { ...owner, mostOfPrincipal: 10 })],
  ['tasks.load', ({ tasks }) => tasks?.load('t')],
  ['tasks.write', ({ tasks }) => tasks?.write('t', question, 1)],
  ['tasks.entries', ({ tasks }) => tasks?.entries('t')],
  ['tasks.renew', ({ tasks }) => tasks?.renew('t', 1, 60_000)],
  ['tasks.update', ({ tasks }) => tasks?.update('t', { updatedAt: 2 }, 1)],
  ['tasks.release', ({ tasks }) => tasks?.release('t', 1)],
  ['tasks.unowned', ({ tasks }) => tasks?.unowned(10)],
  ['tasks.claim', ({ tasks }) => tasks?.claim('t', owner)],
  ['tasks.drop', ({ tasks }) => tasks?.drop('t')],
  ['effects.attempt', ({ effects }) => effects?.attempt(effect, attempt)],
  ['effects.finish', ({ effects }) => effects?.finish(effect, 'one', 1)],
  ['effects.undone', ({ effects }) => effects?.undone(effect)],
]

/** Asserts that the round trips are those in the column of the guide that is named after the engine. */
export async function assertRoundTrips(stores: ClusterStores, counted: () => number): Promise<void> {
  const found: { [name: string]: string } = {}
  // the first time is for what is done once: connecting, loading of scripts
  for (const [, run] of operations) await run(stores)
  for (const [name, run] of operations) {
    const before = counted()
    await run(stores)
    found[name] = counted() === before ? '–' : String(counted() - before)
  }
  assert.deepEqual(found, columnOf(stores.engine))
}

function columnOf(engine: string): { readonly [name: string]: string } {
  const lines = readFileSync(guide, 'utf8').split('\n')
  const start = lines.findIndex((line) => /^\| operation.*round trips/.test(line))
  const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim())
  const at = cells(lines[start] ?? '').findIndex((cell) => cell.startsWith(engine))
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return Object.fromEntries(
    rows.slice(0, end).flatMap((line) => {
      const row = cells(line)
      return [...(row[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => [name, row[at] ?? ''])
    }),
  )
}
