import { resolve } from 'node:path'
import { recordEnvironment } from '@trunkline/host/api'
import type { FoundFile, ImportPlan, PlannedServer } from '@trunkline/host/config'
import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { chosenHere } from '../host/decided-here.ts'
import { counted } from '../output/counted.ts'
import type { Output } from '../output/output.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline init`: takes over the servers that other clients have. */
export const initCommand = defineCommand({
  name: 'init',
  group: 'host',
  needs: { '': 'person', '?': 'terminal' },
  summary: 'Finds the servers of your other clients and, after one review, takes them over',
  usage: [''],
  details: [
    'Shows every command in full, and everything that cannot be carried over, with file and line. Press y to import, start and accept the servers, and to see what each tool does. Press o to import them only; each one then starts after you accept it. The files of the other clients do not change until you run "trunkline install". Servers from project files are imported only when you name them with --with.',
    'Values that a client asks for (the inputs of VS Code, what a server.json declares) are asked for once and stored as secrets. --file reads one file instead of looking for files: that of any client, or a server.json of the registry.',
  ],
  options: {
    file: { type: 'string', value: 'FILE', summary: 'Take over what this file holds, and look for no others' },
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
    { line: 'trunkline init --file server.json', shows: 'a server as the registry describes it' },
    { line: 'trunkline init --json', shows: 'the plan for scripts; nothing is written' },
  ],
  async run(invocation) {
    const { options, output, terminal, signal } = invocation
    const host = await import('@trunkline/host/config')
    const machine = host.thisMachine()
    const places = host.findPlaces(machine)
    using config = new host.Config({ places, machine, isAccepted: () => false })
    const secrets = host.secretFile(places.secretsFile)
    const present = await host.presentServers(await config.effective(), secrets)
    const found = await filesFor(options.file, () => host.discover(machine, process.cwd()))
    const plan = host.planImport(found, { endpoints: [], present })
    const chosen = chosenOf(plan.servers, options.with ?? [], options.without ?? [])
    if (output.json || plan.servers.length === 0) {
      const { servers, rules, inputs, skipped, left, problems } = plan
      const shown = { servers: servers.map(withoutSecrets), rules, inputs, skipped, left, problems }
      if (!output.json) for (const line of leftLines(plan)) output.note(line)
      output.result(shown, () => nothingLines(present.size, host.clients, options.file))
      return undefined
    }
    for (const line of reviewLines(plan, { chosen, shownCommand: host.shownCommand })) output.note(line)
    for (const line of untickedLines(plan.servers, chosen)) output.note(line)
    output.note(styled('faint', 'y takes them over and starts them, o only takes them over, n does nothing'))
    const question = `Take ${counted(chosen.size, 'server')} over?`
    const key = await chosenHere(terminal, { question, keys: ['y', 'o', 'n'] }, signal)
    if (key === 'n') throw new Failure('Nothing was taken over', { code: 'Refused', exit: exitCodes.denied })
    await recordEnvironment(places, process.env)
    const edits = host.importEdits(plan, { servers: chosen, moveSecrets: !options['keep-secrets'], rules: true })
    const files = await host.runImport(edits, places, secrets)
    const taken = plan.servers.filter(({ name }) => chosen.has(name))
    const { askInputs } = await import('../host/ask-inputs.ts')
    await askInputs(host.inputsFor(plan, taken), secrets, invocation)
    await (key === 'y' ? startAll : tellOnly)(taken, files, output)
    return undefined
  },
})

/** Says what was written, and what comes next. */
async function tellOnly(taken: readonly PlannedServer[], files: readonly string[], output: Output): Promise<void> {
  const written = files.map((file) => `Written: ${file}`)
  const lines = [...written, 'Start them: trunkline accept --all', ...nextLines(taken)]
  output.result({ files, servers: taken.map(({ name }) => name) }, () => lines)
}

/** Says what was written, and starts and accepts what was taken over. */
async function startAll(taken: readonly PlannedServer[], files: readonly string[], output: Output): Promise<void> {
  for (const file of files) output.note(`Written: ${file}`)
  const { startTakenOver } = await import('../host/start-taken-over.ts')
  const servers = taken.map(({ name }) => name)
  const { accepted, lines } = await startTakenOver(servers, output)
  output.result({ files, servers, accepted }, () => [...lines, ...nextLines(taken)])
}

/** The file that was named, or those that are found. */
async function filesFor(
  file: string | undefined,
  find: () => Promise<readonly FoundFile[]>,
): Promise<readonly FoundFile[]> {
  if (file === undefined) return find()
  const { readNamedFile } = await import('@trunkline/host/config')
  const found = readNamedFile(resolve(file)).catch((error: Error) => {
    throw usageFailure(error.message, 'Name the file of a client, such as .mcp.json, or a server.json of the registry')
  })
  return [await found]
}

/** Next steps for a person who has no servers yet, or has imported all of them. */
function nothingLines(
  present: number,
  clients: readonly { readonly title: string }[],
  file: string | undefined,
): readonly Line[] {
  if (file !== undefined) return [`Nothing was found in ${file} that is not configured here already`]
  if (present > 0) return ['Nothing was found that is not configured here already']
  return [
    `No server was found in the files of ${clients.map(({ title }) => title).join(', ')}`,
    'Add one: trunkline add NAME -- COMMAND, or trunkline add NAME https://…',
    'Look around first: trunkline open',
  ]
}

function nextLines(taken: readonly PlannedServer[]): readonly Line[] {
  const clients = new Set(taken.flatMap(({ origins }) => origins.map(({ client }) => client)))
  clients.delete('registry')
  if (clients.size === 0) return ['Connect a client: trunkline install CLIENT', 'See them: trunkline open']
  return [`Connect your clients: trunkline install ${[...clients].join(' ')}`, 'See them: trunkline open']
}

/** Command that imports the servers left unticked, which a project's file has. */
function untickedLines(servers: readonly PlannedServer[], chosen: ReadonlySet<string>): readonly Line[] {
  const names = servers.filter(({ name, ticked }) => !ticked && !chosen.has(name)).map(({ name }) => name)
  if (names.length === 0) return []
  return [
    styled(
      'faint',
      `[ ] stands in a file of this project; to take it over: ${names.map((name) => `--with ${name}`).join(' ')}`,
    ),
  ]
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

function reviewLines(plan: ImportPlan, { chosen, shownCommand }: Review): Line[] {
  const commandOf = (server: PlannedServer) => [shownCommand(server), ...namesOf(server)].join(' ')
  return [
    ...plan.servers.flatMap((server): Line[] => [
      [chosen.has(server.name) ? '[x] ' : '[ ] ', styled('name', server.name), ' ', commandOf(server)],
      ...(server.entry.cwd === undefined ? [] : [styled('faint', `    in ${server.entry.cwd}`)]),
      ...(server.entry.data === undefined
        ? []
        : [styled('faint', `    its data are marked ${[server.entry.data].flat().join(' and ')}`)]),
      [
        styled(
          'faint',
          `    ${server.origins.map(({ client, file, line }) => `${client} ${file}:${line}`).join(', ')}`,
        ),
      ],
      ...server.secrets.map(({ name }): Line => styled('faint', `    a secret is kept apart as "${name}"`)),
    ]),
    ...leftLines(plan),
  ]
}

/** Servers that are not imported, with the reasons. */
function leftLines({ skipped, left, problems }: ImportPlan): Line[] {
  return [
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
