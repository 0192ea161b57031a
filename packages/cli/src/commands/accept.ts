import { defineCommand, type Invocation } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { acceptedLines, acceptServers, launchLines } from '../host/accept-servers.ts'
import { decidedHere, refuseWithoutPerson } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import type { ServerSummary } from '../host/show.ts'
import { startedHost } from '../host/started-host.ts'
import { TerminalQuestions } from '../terminal/questions.ts'

/** `trunkline accept`: lets a configured server be started. */
export const acceptCommand = defineCommand({
  name: 'accept',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Accepts a configured server: its exact command, and what it offers now',
  usage: ['SERVER…', '--all', 'SERVER --classes'],
  details: [
    'Shows the command in full, with its folder and the names of its variables. After you accept it, the server is started, its tools are pinned, and the class of each tool is shown. Tools that read run without a question. Tools that write, or whose effect is unknown, ask once per tool. Tools that destroy ask every time.',
  ],
  options: {
    all: { type: 'boolean', summary: 'Accept all servers that are waiting, in one review' },
    classes: { type: 'boolean', summary: 'Review the class of each tool of an accepted server' },
  },
  json: '`{ accepted, setAside, tools }` of one server, `{ accepted: […] }` of several; with --classes `{ server, changed: [{ tool, class }] }`',
  examples: [
    { line: 'trunkline accept github', shows: 'the command in full, and one question' },
    { line: 'trunkline accept --all', shows: 'every waiting command, and one question' },
    { line: 'trunkline accept github --classes', shows: 'the class of each tool, which you can change' },
  ],
  async run(invocation) {
    const { options, output, words, terminal, signal } = invocation
    if (options.classes) return changeClasses(invocation)
    const { call } = await startedHost()
    const servers = await chosenOf((await call('servers')).items, words, options.all === true)
    for (const line of servers.flatMap(launchLines)) output.note(line)
    const question = servers.length === 1 ? 'Accept it?' : `Accept these ${servers.length} servers?`
    if (!(await decidedHere(terminal, question, signal))) {
      const [{ name } = { name: '' }, ...more] = servers
      const what = more.length === 0 ? `Server "${name}" was not accepted` : 'No server was accepted'
      throw new Failure(what, { code: 'Refused', exit: exitCodes.denied })
    }
    const accepted = await acceptServers(call, servers)
    output.result(accepted.length === 1 ? accepted[0] : { accepted }, () => acceptedLines(accepted, output.width))
    return undefined
  },
})

async function chosenOf(
  all: readonly ServerSummary[],
  words: readonly string[],
  isAll: boolean,
): Promise<readonly ServerSummary[]> {
  const waiting = all.filter(({ isAccepted, needs }) => !isAccepted && needs === undefined)
  if (!isAll && words.length === 0) {
    const names = waiting.map(({ name }) => name).join(', ')
    const hint = names === '' ? 'No server waits to be accepted' : `These wait: ${names}. All: trunkline accept --all`
    throw usageFailure('Cannot accept a server: none is named', hint)
  }
  const servers = isAll ? waiting : []
  for (const name of words) {
    const server = all.find((one) => one.name === name)
    const names = all.map((one) => one.name)
    if (!server) throw await noSuchOf(`There is no server "${name}"`, name, names)
    if (server.needs !== undefined) throw new Failure(server.why, { code: 'NeedsYou', exit: exitCodes.denied })
    servers.push(server)
  }
  if (servers.length === 0)
    throw new Failure('No server waits to be accepted', { code: 'NothingToDo', exit: exitCodes.denied })
  return servers
}

/** Goes through the tools of a server that was accepted before. */
async function changeClasses({ output, words, terminal, signal }: Invocation): Promise<undefined> {
  const [server] = words
  if (server === undefined)
    throw usageFailure('Cannot show classes: no server is named', 'Write: trunkline accept SERVER --classes')
  await refuseWithoutPerson(terminal)
  const { call } = await openHost()
  const { reviewClasses } = await import('../host/class-review.ts')
  const changed = await reviewClasses(server, {
    call,
    output,
    questions: new TerminalQuestions(terminal, output, signal),
  })
  output.result({ server, changed }, () =>
    changed.length === 0 ? ['Nothing was changed'] : changed.map((one) => `${one.tool} ${one.class}`),
  )
  return undefined
}
