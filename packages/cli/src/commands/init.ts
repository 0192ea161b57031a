import type { ImportPlan, PlannedServer } from '@trunkline/host'
import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import { chosenHere } from '../host/decided-here.ts'
import { counted } from '../output/counted.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline init`: takes over the servers that other clients have. */
export const initCommand = defineCommand({
  name: 'init',
  group: 'host',
  summary: 'Finds the servers of your other clients and, after one review, takes them over',
  usage: [''],
  details: [
    'Shows every command in full, and everything that cannot be carried over, with file and line. Press y to import, start and accept the servers, and to see what each tool does. Press o to import them only; each one then starts after you accept it. The files of the other clients do not change until you run "trunkline install". Servers from project files are imported only when you name them with --with.',
  ],
  options: {
    with: { type: 'string', value: 'NAME', multiple: true, summary: 'Take this server over too' },
    without: { type: 'string', value: 'NAME', multiple: true, summary: 'Leave this server out' },
    'keep-secrets': {
      type: 'boolean',
      summary: 'Leave secrets in the configuration file instead of moving them to the secret store',
    },
  },
  json: '`{ servers, rules, inputs, skipped, left, problems }`, the plan, and nothing is written',
  examples: [
    { line: 'trunkline init', shows: 'one review, and one question' },
    { line: 'trunkline init --json', shows: 'the plan for scripts; nothing is written' },
  ],
  async run({ options, output, terminal, signal }) {
    const host = await import('@trunkline/host')
    const machine = host.thisMachine()
    const places = host.findPlaces(machine)
    const project = process.cwd()
    using config = new host.Config({ places, machine, isAccepted: () => false })
    const secrets = host.secretFile(places.secretsFile)
    const present = await host.presentServers(await config.effective(), secrets)
    const plan = host.planImport(await host.discover(machine, project), { endpoints: [], present })
    const chosen = chosenOf(plan.servers, options.with ?? [], options.without ?? [])
    if (output.json || plan.servers.length === 0) {
      const { servers, rules, inputs, skipped, left, problems } = plan
      const shown = { servers: servers.map(withoutSecrets), rules, inputs, skipped, left, problems }
      output.result(shown, () => nothingLines(present.size, host.clients))
      return undefined
    }
    for (const line of reviewLines(plan, { chosen, shownCommand: host.shownCommand })) output.note(line)
    output.note(styled('faint', 'y takes them over and starts them, o only takes them over, n does nothing'))
    const question = `Take ${counted(chosen.size, 'server')} over?`
    const key = await chosenHere(terminal, { question, keys: ['y', 'o', 'n'] }, signal)
    if (key === 'n') throw new Failure('Nothing was taken over', { code: 'Refused', exit: exitCodes.denied })
    const edits = host.importEdits(plan, { servers: chosen, moveSecrets: !options['keep-secrets'], rules: true })
    const files = await host.runImport(edits, places, secrets)
    const written = files.map((file) => `Written: ${file}`)
    const next = nextLines(plan.servers.filter(({ name }) => chosen.has(name)))
    if (key === 'o') {
      output.result({ files, servers: [...chosen] }, () => [...written, 'Start them: trunkline accept --all', ...next])
      return undefined
    }
    for (const line of written) output.note(line)
    const { startTakenOver } = await import('../host/start-taken-over.ts')
    const { accepted, lines } = await startTakenOver([...chosen], output)
    output.result({ files, servers: [...chosen], accepted }, () => [...lines, ...next])
    return undefined
  },
})

/** What a person can do who has no servers yet, or has taken all of them over. */
function nothingLines(present: number, clients: readonly { readonly title: string }[]): readonly Line[] {
  if (present > 0) return ['Nothing was found that is not configured here already']
  return [
    `No server was found in the files of ${clients.map(({ title }) => title).join(', ')}`,
    'Add one: trunkline add NAME -- COMMAND, or trunkline add NAME https://…',
    'Look around first: trunkline open',
  ]
}

function nextLines(taken: readonly PlannedServer[]): readonly Line[] {
  const clients = new Set(taken.flatMap(({ origins }) => origins.map(({ client }) => client)))
  return [`Connect your clients: trunkline install ${[...clients].join(' ')}`, 'See them: trunkline open']
}

function chosenOf(servers: readonly PlannedServer[], more: readonly string[], less: readonly string[]): Set<string> {
  const isChosen = ({ name, ticked }: PlannedServer) => (ticked || more.includes(name)) && !less.includes(name)
  return new Set(servers.filter(isChosen).map(({ name }) => name))
}

function withoutSecrets({ secrets, ...server }: PlannedServer) {
  return { ...server, entry: undefined, secrets: secrets.map(({ name }) => name) }
}

interface Review {
  readonly chosen: ReadonlySet<string>
  shownCommand(server: PlannedServer): string
}

function reviewLines({ servers, skipped, left, problems }: ImportPlan, { chosen, shownCommand }: Review): Line[] {
  const commandOf = (server: PlannedServer) => [shownCommand(server), ...namesOf(server)].join(' ')
  return [
    ...servers.flatMap((server): Line[] => [
      [chosen.has(server.name) ? '[x] ' : '[ ] ', styled('name', server.name), ' ', commandOf(server)],
      ...(server.entry.cwd === undefined ? [] : [styled('faint', `    in ${server.entry.cwd}`)]),
      [
        styled(
          'faint',
          `    ${server.origins.map(({ client, file, line }) => `${client} ${file}:${line}`).join(', ')}`,
        ),
      ],
      ...server.secrets.map(({ name }): Line => styled('faint', `    a secret is kept apart as "${name}"`)),
    ]),
    ...skipped.map(({ origin, why }): Line => styled('faint', `left out: ${origin.name} of ${origin.client}: ${why}`)),
    ...[...left, ...problems].map(
      ({ file, line, key, problem, fix }): Line => styled('warning', `${file}:${line}: ${key} ${problem}; ${fix}`),
    ),
  ]
}

/** The names of its variables and headers, in brackets where there are any. */
function namesOf({ entry: { env = {}, headers = {} } }: PlannedServer): readonly string[] {
  const names = Object.keys({ ...env, ...headers })
  return names.length === 0 ? [] : [`(${names.join(', ')})`]
}
