/** A test file that imports this fails when, at its end, a process, a resource or a record of a call is left. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { until } from '../../../tools/lib/until.ts'
import { noProc, processes } from './processes.ts'

interface Counted {
  readonly live: { readonly [what: string]: number }
}

const counted: Counted[] = []
const atStart = tally()

/** Lets what a client, a server or a peer remembers be counted at the end of the file. */
export function tracked<Thing extends Counted>(thing: Thing): Thing {
  counted.push(thing)
  return thing
}

after(async () => {
  await until(() => leftovers().length === 0, 'everything to be let go').catch(() => {})
  assert.deepEqual(leftovers(), [])
})

function leftovers(): string[] {
  const children = noProc ? [] : processes().filter(({ parent }) => parent === process.pid)
  const resources = [...tally()].filter(([name, count]) => count > (atStart.get(name) ?? 0))
  const records = counted.flatMap(({ live }) => Object.entries(live)).filter(([, count]) => count !== 0)
  return [
    ...children.map(({ pid }) => `child ${pid}`),
    ...resources.map(([name, count]) => `resource ${name}: ${count}`),
    ...records.map(([name, count]) => `live ${name}: ${count}`),
  ]
}

function tally(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
