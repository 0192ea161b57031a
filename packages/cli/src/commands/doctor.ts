import { defineCommand, type Invocation } from '../command/command.ts'
import { timeoutOf } from '../command/open-server.ts'
import { type Finding, shellWord } from '../diagnosis/finding.ts'
import type { ProbeOptions } from '../diagnosis/program-evidence.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { HostHealth } from '../host/host-health.ts'
import type { OutdatedRuleLine } from '../host/policy-lists.ts'
import type { DisabledEntry } from '../host/show.ts'
import { counted } from '../output/counted.ts'
import type { Line } from '../output/span.ts'
import { styled } from '../output/span.ts'
import { serverAddress } from '../session/target.ts'

const doctorOptions = {
  timeout: { type: 'string', value: 'SECONDS', summary: 'How long a server may take to answer; 10 unless said' },
} as const

interface Examined {
  readonly name: string
  diagnose(options: ProbeOptions): Promise<Finding | undefined>
}

/** Servers that are looked at at the same time. */
const atOnce = 4
const usualMs = 10_000

/** `trunkline doctor`: why servers do not work, and what to do. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  group: 'host',
  needs: 'nothing',
  summary: 'Finds out why a server does not work: one line of cause, one command to paste',
  usage: ['[SERVER…]', 'URL…', '-- PROGRAM [ARGUMENT…]'],
  details: [
    'Starts each server outside the host, connects, lists its tools and waits a moment. A server that is already running is examined through the host. A server that you have not accepted is not started; the registry is asked whether it has its package. The causes it distinguishes: no binary, no package, wrong Node, variable, configuration, version, file, port, noise on stdout, 401, web page, DNS, TLS, proxy, hang, crash loop, memory and bad schema. The requirements of a server are read from "mcp.requires" in the package.json of its package before it starts, and from the server itself while it runs. Notes name what cannot be checked, such as an account, and programs that replace themselves with newer versions. Rules that were written for an earlier meaning are listed, each with the command that mends it, and rules that match nothing. So is a proof of the person that is damaged or was deleted. The environment that was recorded for hosts that a client starts is shown by its names, and with its search path. The exit code is 2 when a server does not work.',
  ],
  options: doctorOptions,
  json: '`{ servers: [{ name, works, cause, line, command, notes }], rules: [{ rule, file, line, why, command }], disabled: [{ name, source }], environment: { at, path, names }, damages: [{ part, why, command }] }`; the last two without SERVER',
  examples: [
    { line: 'trunkline doctor', shows: 'every configured server' },
    { line: 'trunkline doctor github', shows: 'one of them' },
    { line: 'trunkline doctor -- node server.js', shows: 'a program that is not configured' },
  ],
  async run(invocation) {
    const { options, output, signal } = invocation
    const timeoutMs = timeoutOf(options.timeout) ?? usualMs
    const examined = await serversOf(invocation)
    const servers: Verdict[] = []
    for (let at = 0; at < examined.length; at += atOnce) {
      const some = examined.slice(at, at + atOnce)
      output.progress(`Looking at ${some.map(({ name }) => name).join(', ')}`)
      servers.push(...(await Promise.all(some.map((one) => examine(one, { timeoutMs, signal })))))
    }
    const told = servers.map(({ finding, ...rest }) => ({ ...rest, ...finding }))
    const host = await hostFindings(invocation)
    output.result({ servers: told, rules: host?.rules ?? [], disabled: host?.disabled ?? [], ...host?.health }, () => [
      ...(servers.length === 0
        ? ['No server is configured. Add what other clients have: trunkline init']
        : servers.flatMap(verdictLines)),
      ...(host?.lines ?? []),
    ])
    const ill = servers.filter(({ works }) => !works).length
    if (ill === 0) return undefined
    throw new Failure(`${ill} of ${counted(servers.length, 'server')} ${ill === 1 ? 'does' : 'do'} not work`, {
      code: 'NotWell',
      exit: exitCodes.toolError,
    })
  },
})

interface Verdict {
  readonly name: string
  readonly works: boolean
  readonly finding?: Finding
  /** Remarks for a person that are not failures. */
  readonly notes?: readonly string[]
}

async function examine(one: Examined, options: ProbeOptions): Promise<Verdict> {
  const notes: string[] = []
  const finding = await one.diagnose({ ...options, note: (line) => notes.push(line) })
  const works = finding === undefined
  return { name: one.name, works, ...(finding && { finding }), ...(notes.length > 0 && { notes }) }
}

async function serversOf({ words, program }: Invocation<typeof doctorOptions>): Promise<readonly Examined[]> {
  if (program !== undefined && program.length > 0) {
    const [command = '', ...args] = program
    const { diagnoseProgram } = await import('../diagnosis/diagnose-program.ts')
    const patient = { name: command, words: `-- ${program.map(shellWord).join(' ')}` }
    return [{ name: command, diagnose: (options) => diagnoseProgram(patient, { command, args }, options) }]
  }
  const addresses = await Promise.all(words.map((word) => serverAddress(word)))
  const urls = addresses.filter((url) => url !== undefined)
  const names = words.filter((_, at) => addresses[at] === undefined)
  const { diagnoseUrl } = await import('../diagnosis/diagnose-url.ts')
  const elsewhere = urls.map((url): Examined => {
    const patient = { name: url, words: shellWord(url) }
    return { name: url, diagnose: (options) => diagnoseUrl(patient, { url }, options) }
  })
  if (urls.length > 0 && names.length === 0) return elsewhere
  const { configuredPatients } = await import('../host/configured-patients.ts')
  return [...elsewhere, ...(await configuredPatients(names))]
}

/** Findings about the host itself, made only when all configured servers are examined. */
interface HostFindings {
  /** Rules that were written for an earlier meaning. */
  readonly rules: readonly OutdatedRuleLine[]
  readonly health: HostHealth
  readonly disabled: readonly DisabledEntry[]
  readonly lines: readonly Line[]
}

async function hostFindings({ words, program }: Invocation<typeof doctorOptions>): Promise<HostFindings | undefined> {
  if (words.length > 0 || program !== undefined) return undefined
  const { openHost } = await import('../host/host-link.ts')
  const { outdatedRules, unmatchedLines } = await import('../host/policy-lists.ts')
  const { healthLines, hostHealth } = await import('../host/host-health.ts')
  const { disabledLines } = await import('../host/show.ts')
  const host = await openHost()
  const policy = await host.call('policy')
  const rules = outdatedRules(policy)
  const health = await hostHealth(host)
  // a host of an earlier version does not say which are disabled
  const { disabled = [] } = await host.call('servers')
  const lines = [
    ...disabledLines(disabled),
    ...rules.flatMap(ruleLines),
    ...unmatchedLines(policy),
    ...healthLines(health),
  ]
  return { rules, health, disabled, lines }
}

function ruleLines({ rule, file, line, why, command }: OutdatedRuleLine): readonly Line[] {
  return [
    [styled('name', `allow "${rule}"`), ' ', styled('warning', 'outdated rule'), `: ${why} (${file}:${line})`],
    ['  ', styled('strong', command)],
  ]
}

function verdictLines({ name, finding, notes = [] }: Verdict): readonly Line[] {
  const noted = notes.map((line): Line => [styled('faint', `  ${line}`)])
  if (!finding) return [[styled('name', name), ' ', styled('good', 'works')], ...noted]
  return [
    [styled('name', name), ' ', styled('bad', finding.cause), `: ${finding.line.replace(/\s*\n\s*/g, ' ')}`],
    ['  ', styled('strong', finding.command)],
    ...noted,
  ]
}
