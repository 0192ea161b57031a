import type { CheckedClient, ClientFinding } from '@trunkline/authoring/checking'
import type { KnownClient } from '@trunkline/host/config'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { type Line, type Style, styled } from '../output/span.ts'

/** `trunkline check`: what the clients that people use will make of a server. */
export const checkCommand = defineCommand({
  name: 'check',
  group: 'authors',
  needs: 'nothing',
  summary: 'Shows what each client will refuse or truncate of a server; for authors and CI',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  details: [
    'Compares names, schemas, the number of tools, annotations, tokens and the start time with what is known of each client, and cites the source. The exit code is 2 when something will be refused or truncated, and 0 when there are only notes.',
  ],
  options: {
    client: {
      type: 'string',
      value: 'CLIENT',
      multiple: true,
      summary: 'Check only for this client; by default for all known clients',
    },
    name: {
      type: 'string',
      value: 'NAME',
      summary: 'The name of the server in the clients; by default its own name',
    },
    ...serverOptions,
  },
  json: '`{ server, tools, tokens, startMs, clients: […] }`',
  examples: [
    { line: 'trunkline check -- node server.js', shows: 'what to fix before others use it' },
    { line: 'trunkline check --json --client vscode --client cursor -- node server.js', shows: 'two clients, for CI' },
  ],
  async run(invocation) {
    const { options, output, signal } = invocation
    const host = await import('@trunkline/host/config')
    const { checkServer, summarise } = await import('@trunkline/authoring/checking')
    const wanted = await wantedClients(options.client ?? [], host.clients)
    const begun = performance.now()
    await using opened = await openServer(invocation)
    const { client } = opened
    const tools = client.capabilities.tools ? await client.tools.list({ signal }).all() : []
    const startMs = Math.round(performance.now() - begun)
    const name = options.name ?? client.server?.name ?? 'server'
    const tokens = tools.reduce((sum, tool) => sum + host.estimatedTokens({ ...tool }), 0)
    const clients = wanted.map((one) => ({
      client: one.id,
      title: one.title,
      findings: checkServer({ name, tools, startMs, tokens }, one),
    }))
    output.result({ server: name, tools: tools.length, tokens, startMs, clients }, () => [
      [
        styled('strong', name),
        `: ${tools.length} tools, about ${tokens} tokens in each conversation, started in ${startMs} ms`,
      ],
      ...allLines(summarise(clients)),
    ])
    const bad = clients.filter(({ findings }) => findings.some(({ level }) => level !== 'note'))
    if (bad.length === 0) return undefined
    throw new Failure(`${bad.map(({ title }) => title).join(', ')} will refuse or cut something`, {
      code: 'CheckFailed',
      exit: exitCodes.toolError,
    })
  },
})

async function wantedClients(ids: readonly string[], known: readonly KnownClient[]): Promise<readonly KnownClient[]> {
  for (const id of ids) {
    if (known.some((client) => client.id === id)) continue
    const { nearName } = await import('@trunkline/mcp/json-schema')
    const names = known.map((client) => client.id)
    const near = nearName(id, names)
    throw usageFailure(
      `Cannot check for "${id}": ${near === undefined ? `the clients are ${names.join(', ')}` : `did you mean "${near}"?`}`,
    )
  }
  return ids.length === 0 ? known : known.filter(({ id }) => ids.includes(id))
}

const styles: { readonly [Level in ClientFinding['level']]: Style } = { refused: 'bad', cut: 'warning', note: 'faint' }

/** So many findings of a kind tell all there is to tell. */
const mostShown = 8

/** Each client with what is the matter, and those together for which nothing is. */
function allLines(clients: readonly CheckedClient[]): readonly Line[] {
  const well = clients.filter(({ findings }) => findings.length === 0).map(({ title }) => title)
  const told = clients.filter(({ findings }) => findings.length > 0).flatMap(clientLines)
  return well.length === 0 ? told : [...told, '', [styled('good', 'ok'), ` ${well.join(', ')}`]]
}

function clientLines({ title, findings }: CheckedClient): readonly Line[] {
  const shown = findings
    .slice(0, mostShown)
    .map(
      ({ level, tool, problem, fix }): Line => [
        '  ',
        styled(styles[level], level.padEnd(7)),
        ` ${tool === undefined ? '' : `${tool}: `}${problem}`,
        styled('faint', ` → ${fix}`),
      ],
    )
  const left = findings.length - shown.length
  return ['', styled('strong', title), ...shown, ...(left > 0 ? [`  and ${left} more; --json shows them all`] : [])]
}
