import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand, type Invocation } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { decidedHere, refuseWithoutPerson } from '../host/decided-here.ts'
import { changeLines } from '../host/definition-change.ts'
import { type HostLink, openHost } from '../host/host-link.ts'
import { styled } from '../output/span.ts'

type Plan = RouteAnswer<'planUpdate'>

/** `trunkline update`: runs a newer version of a program, after showing what it changes. */
export const updateCommand = defineCommand({
  name: 'update',
  group: 'host',
  needs: { '': 'person', '?': 'terminal' },
  summary: 'Updates a program to its newest version, after showing what changes and asking you',
  usage: ['[SERVER…]'],
  details: [
    'Unpacks the new version beside the current one, without running its install scripts, and starts it once in a sandbox (bubblewrap) without network to see what it offers. Where there is no such sandbox, nothing of it is started. You see the differences and the install scripts, and decide. If you refuse, or if it does not start, the accepted version keeps running.',
  ],
  options: {},
  json: '`{ updated: [{ server, from, to }] }`',
  examples: [
    { line: 'trunkline update notes', shows: 'what the newest version changes, and one question' },
    { line: 'trunkline update', shows: 'the same for every program that is outdated' },
  ],
  async run(invocation) {
    const { words, output, terminal } = invocation
    await refuseWithoutPerson(terminal)
    const host = await openHost()
    const servers = words.length > 0 ? words : await outdatedServers(host)
    if (servers.length === 0) output.note('Every program is at its newest version')
    const updated: Plan[] = []
    for (const server of servers) {
      const plan = await updateOne(host, server, invocation)
      if (plan) updated.push(plan)
    }
    output.result({ updated: updated.map(({ server, from, to }) => ({ server, from, to })) }, () =>
      updated.map(({ server, to }) => `Server "${server}" runs ${to}`),
    )
    return undefined
  },
})

async function outdatedServers({ call }: HostLink): Promise<readonly string[]> {
  const { items } = await call('outdated')
  return items
    .filter(({ available, accepted }) => available !== undefined && available !== accepted)
    .map(({ server }) => server)
}

async function updateOne({ call }: HostLink, server: string, { output, terminal, signal }: Invocation) {
  const plan = await call('planUpdate', { server })
  output.note([styled('strong', `Server "${server}": ${plan.from} to ${plan.to}`)])
  for (const line of plan.changes.flatMap(changeLines)) output.note(line)
  if (plan.unseen !== undefined) {
    output.note(styled('warning', `It was not looked at: ${plan.unseen}`))
    output.note('What it offers differently is asked about once it runs')
  } else if (plan.changes.length === 0) output.note('It offers what you accepted')
  for (const script of plan.scripts) output.note(styled('warning', `Before it runs: ${script}`))
  if (!(await decidedHere(terminal, `Run ${plan.to}?`, signal))) {
    throw new Failure(`Server "${server}" stays at ${plan.from}`, { code: 'Refused', exit: exitCodes.denied })
  }
  return call('update', { server, digest: plan.digest })
}
