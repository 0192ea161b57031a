import type { Output } from '../output/output.ts'
import { type Line, styled } from '../output/span.ts'
import { type Accepted, acceptedLines, acceptServers } from './accept-servers.ts'
import { openHost } from './host-link.ts'
import { settledServers } from './settled-servers.ts'
import { runningOrStarted } from './start-detached.ts'

/** Starts the host where none runs, and accepts servers whose commands a person has just seen. */
export async function startTakenOver(
  names: readonly string[],
  output: Output,
): Promise<{ readonly accepted: readonly Accepted[]; readonly lines: readonly Line[] }> {
  output.progress(`Starting ${names.length} servers`)
  await runningOrStarted()
  const { call } = await openHost()
  const items = await settledServers(call, (servers) => names.every((name) => servers.some((one) => one.name === name)))
  const taken = items.filter(({ name }) => names.includes(name))
  const starting = taken.filter(({ needs, isAccepted }) => needs === undefined && !isAccepted)
  const left = new Set(starting.map(({ name }) => name))
  const accepted = await acceptServers(call, starting, (name) => {
    left.delete(name)
    if (left.size > 0) output.progress(`Starting ${names.length} servers, still to come: ${[...left].join(', ')}`)
  })
  const lacking = taken.filter((server) => server.needs !== undefined)
  const needs = lacking.map(({ name, why }) => styled('warning', `Server "${name}" needs you: ${why}`))
  return { accepted, lines: [...acceptedLines(accepted, output.width), ...needs] }
}
