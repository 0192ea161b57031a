import { recordEnvironment } from '@trunkline/host/api'
import type { clientAsks, WhoAsks } from '@trunkline/host/config'
import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { chosenHere } from '../host/decided-here.ts'
import { startedHost } from '../host/started-host.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline install`: connects a client to the host. */
export const installCommand = defineCommand({
  name: 'install',
  group: 'host',
  needs: { '': 'person', '?': 'terminal' },
  summary: 'Connects a client to the host, after showing what changes in its file',
  usage: ['CLIENT…'],
  details: [
    'Entries of the client are matched with the servers of the host by what they run, never by name; those that do not go through the host are listed, each with the reason. Servers that the client already had keep their names, and so do their tools; from then on the host runs them. "trunkline uninstall CLIENT" restores exactly those entries.',
    'You decide once who asks before a call runs. If Trunkline asks, the prompt of the client is turned off for these entries where a file of the client allows it. If the client asks, a rule for this client is added to your policy.',
  ],
  options: {
    asks: {
      type: 'string',
      value: 'WHO',
      choices: ['trunkline', 'client'],
      summary: 'Who asks before a call runs: Trunkline for all clients alike, or the client itself',
    },
    approver: {
      type: 'boolean',
      summary: 'A person sits in front of this client, so questions are also shown there and its answers count',
    },
    'dry-run': { type: 'boolean', summary: 'Only show the change' },
  },
  json: '`{ client, file, putIn, takenOut, outside: [{ name, why }] }`, or `{ clients: […] }` of several',
  examples: [
    { line: 'trunkline install cursor', shows: 'the change to the file of Cursor, and one question' },
    { line: 'trunkline install cursor codex', shows: 'the changes to both files, and one question' },
    { line: 'trunkline install claude-code --dry-run', shows: 'the change alone' },
    { line: 'trunkline install vscode --approver', shows: 'the same, and questions may be answered in VS Code' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const { clientAsks, clients, findClient } = await import('@trunkline/host/config')
    const { installLines, install, launcherRemark, plannedInstall, thisInstalling, throughLines } = await import(
      '../host/installing.ts'
    )
    const known = clients.map(({ id }) => id)
    if (words.length === 0)
      throw usageFailure('Cannot connect a client: none is named', `There are: ${known.join(', ')}`)
    const stray = words.find((client) => !findClient(client))
    if (stray !== undefined) throw await noSuchOf(`Cannot connect "${stray}": no such client is known`, stray, known)
    // the host keeps who may approve, so it must run before anything is written
    const host = options.approver ? await startedHost() : undefined
    const installing = thisInstalling()
    const given = options.asks as WhoAsks | undefined
    const changes = await Promise.all(words.map((client) => plannedInstall(client, given, installing)))
    const told = changes.map(({ client, file, putIn, takenOut, outside = [] }) => ({
      ...{ client, file, putIn, takenOut, outside },
    }))
    const shown = told.length === 1 ? told[0] : { clients: told }
    const lines = changes.flatMap(installLines)
    const through = changes.flatMap(throughLines)
    if (options['dry-run']) {
      output.result(shown, () => [...(lines.length === 0 ? ['Nothing changes'] : lines), ...through])
      return undefined
    }
    if (lines.length === 0 && !host) {
      output.result(shown, () => [
        ...words.map((client) => `"${client}" is connected already, and nothing changes`),
        ...through,
      ])
      return undefined
    }
    for (const line of [...lines, ...through]) output.note(line)
    if (host) output.note(styled('warning', approves(words)))
    const remark = launcherRemark()
    if (remark !== undefined) output.warn(remark)
    const asks = await whoAsks(changes.every(({ isDecided }) => isDecided))
    await recordEnvironment(installing.places, process.env)
    for (const { client, file, before } of changes) {
      // the install before this one may have changed the same file
      const change = await plannedInstall(client, asks, installing)
      if (change.before !== before) throw usageFailure(`"${file}" changed meanwhile; look at it again`)
      await install(change, installing)
      await host?.call('addClient', { name: client, isApprover: true })
    }
    const connected = (client: string) =>
      `"${client}" is connected; restart it, or have it read its configuration again`
    output.result(shown, () => words.map(connected))
    return undefined

    /** One decision: whether, and who asks from then on. */
    async function whoAsks(isDecided: boolean): Promise<WhoAsks | undefined> {
      for (const line of isDecided ? [] : choiceLines(words, clientAsks)) output.note(line)
      const keys = isDecided ? (['y', 'n'] as const) : (['y', 'c', 'n'] as const)
      const key = await chosenHere(terminal, { question: 'Write it?', keys }, signal)
      if (key === 'n') throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
      if (isDecided) return given
      return key === 'c' ? 'client' : 'trunkline'
    }
  },
})

function approves(words: readonly string[]): string {
  return `Answers given in ${words.map((client) => `"${client}"`).join(' and ')} count as yours from now on`
}

function choiceLines(words: readonly string[], asksOf: typeof clientAsks): readonly Line[] {
  const stubborn = words.filter((client) => asksOf(client).asksFirst && !asksOf(client).canTurnOff)
  return [
    styled('faint', 'y: Trunkline asks before a call runs, with the same rules for every client'),
    styled(
      'faint',
      'c: the client asks; Trunkline asks only about calls that destroy, are tainted, or use a tool that has changed',
    ),
    ...stubborn.map((client) =>
      styled(
        'warning',
        `The prompt of "${client}" cannot be turned off by a file: with y, turn it off in its settings, or both ask`,
      ),
    ),
  ]
}
