import { findProgram } from '@trunkline/base/find-program'
import { declaredRequirements, declaredUpdates, sound, updatesOff } from '@trunkline/host/requirements'
import type { SpawnTarget } from '@trunkline/mcp/stdio'
import { type Finding, type Patient, shellWord } from './finding.ts'
import { type ProbeOptions, type ProgramEvidence, probeProgram } from './program-evidence.ts'
import { remarksOn, type Said } from './remarks.ts'
import { lackingNeed } from './requirements.ts'
import { badSchema } from './schema-problems.ts'
import { lastLine, readLastWords } from './stderr-causes.ts'
import { wrongNode } from './wanted-node.ts'

/** Install commands of programs that servers are often started with. */
const installers: { readonly [program: string]: string } = {
  uvx: 'pip install uv',
  uv: 'pip install uv',
  bunx: 'npm install --global bun',
  bun: 'npm install --global bun',
  deno: 'npm install --global deno',
  pnpm: 'npm install --global pnpm',
}

/** Finds out why a program does not work as a server; undefined when it does. */
export async function diagnoseProgram(
  patient: Patient,
  target: SpawnTarget,
  options: ProbeOptions,
): Promise<Finding | undefined> {
  const { command, env = {}, cwd = process.cwd() } = target
  const found = findProgram(command, { path: env.PATH ?? process.env.PATH, cwd })
  if ('problem' in found) return cannotStart(patient, found)
  const wanting = (name: string) => missingVariable(patient, name, 'its package or the server itself says so')
  const declared = declaredRequirements(target, found.path)
  const updates = declaredUpdates(target, found.path)
  const remark = (said: Said): void => {
    for (const line of remarksOn(
      { requires: said.requires ?? declared, updates: said.updates ?? updates },
      env,
      patient,
    ))
      options.note?.(line)
  }
  // a need known to be missing is reported without a start
  const lacking = declared && (await lackingNeed(declared, target, wanting))
  if (lacking) {
    remark({})
    return lacking
  }
  // looking at it must not make it another one
  const evidence = await probeProgram({ ...target, env: { ...env, ...updatesOff(updates, env) } }, options)
  const requires = evidence.requires && sound(evidence.requires)
  remark({ requires, updates: evidence.updates })
  const missing = requires && (await lackingNeed(requires, target, wanting))
  if (missing) return missing
  const early = evidence.exit !== undefined && evidence.error !== undefined
  if (early || evidence.error?.code === 'Closed' || evidence.exit) {
    return ended(patient, { target, program: found.path, evidence, options })
  }
  if (evidence.error) return unanswered(patient, target, evidence, options)
  return working(patient, target, evidence)
}

function cannotStart({ words }: Patient, { problem, at }: { problem: string; at: string }): Finding {
  if (problem === 'no folder') {
    return { cause: 'no binary', line: `Its folder "${at}" is not there`, command: `mkdir -p ${shellWord(at)}` }
  }
  if (problem === 'not executable') {
    return { cause: 'no binary', line: `"${at}" may not be executed`, command: `chmod +x ${shellWord(at)}` }
  }
  const command = installers[at] ?? (words.startsWith('-- ') ? `command -v ${shellWord(at)}` : explain(words))
  return { cause: 'no binary', line: `There is no program "${at}" on the search path`, command }
}

interface Ended {
  readonly target: SpawnTarget
  readonly program: string
  readonly evidence: ProgramEvidence
  readonly options: ProbeOptions
}

async function ended(patient: Patient, { target, program, evidence, options }: Ended): Promise<Finding | undefined> {
  const { exit, stderr, error } = evidence
  const words = readLastWords(stderr) ?? readLastWords(error?.message ?? '')
  if (words?.cause === 'memory' || exit?.signal === 'SIGKILL') return outOfMemory(target, words?.said, exit?.signal)
  if (words?.cause === 'port') return portTaken(words.what)
  const node = await wrongNode(target, program)
  if (node) {
    const line = `It needs Node ${node.wants}, and the one that runs it is ${node.has}`
    return { cause: 'wrong Node', line, command: `npm install --global node@${node.major || 'latest'}` }
  }
  if (words?.cause === 'wrong Node') {
    const line = `The Node that runs it is another one than it was made for: ${words.said}`
    return { cause: 'wrong Node', line, command: 'npm install --global node@latest' }
  }
  if (words?.cause === 'variable') return missingVariable(patient, words.what, words.said)
  if (words?.cause === 'no binary') {
    const line = `It starts "${words.what}", which is not there`
    return { cause: 'no binary', line, command: `ls -l ${shellWord(words.what)}` }
  }
  return again(patient, { target, program, evidence, options })
}

/** Once may be chance; a server that ends every time is in a loop. */
async function again(patient: Patient, { target, evidence, options }: Ended): Promise<Finding | undefined> {
  const second = await probeProgram(target, options)
  if (!second.exit && !second.error) return working(patient, target, second)
  const exit = second.exit ?? evidence.exit
  const how = exit?.signal ? `is ended by ${exit.signal}` : `exits with code ${exit?.code ?? 'unknown'}`
  const said = lastLine(second.stderr) || lastLine(evidence.stderr)
  const line = `It ${how} every time it is started${said === '' ? ', without a word' : `: ${said}`}`
  return { cause: 'crash loop', line, command: commandLine(target) }
}

function unanswered(
  { words }: Patient,
  target: SpawnTarget,
  { noise, error }: ProgramEvidence,
  { timeoutMs }: ProbeOptions,
): Finding {
  if (noise.length > 0) return noisy(target, noise)
  if (error?.code === 'Timeout') {
    const line = `It runs and does not answer within ${timeoutMs / 1000} s`
    return { cause: 'hang', line, command: `trunkline trace tools --timeout 60 ${words}` }
  }
  return { cause: 'other', line: error?.message ?? 'unknown', command: `trunkline trace tools ${words}` }
}

function working({ words }: Patient, target: SpawnTarget, evidence: ProgramEvidence): Finding | undefined {
  if (evidence.noise.length > 0) return noisy(target, evidence.noise)
  const bad = badSchema(evidence.tools ?? [], evidence.warnings)
  if (!bad) return undefined
  const [server, program] = words.startsWith('-- ') ? ['', ` ${words}`] : [` ${words}`, '']
  const tool = bad.tool === undefined ? '' : ` ${shellWord(bad.tool)}`
  return { cause: 'bad schema', line: bad.why, command: `trunkline tools --json${server}${tool}${program}` }
}

function noisy(target: SpawnTarget, [first = '']: readonly string[]): Finding {
  const quoted = JSON.stringify(first.length > 80 ? `${first.slice(0, 80)}…` : first)
  return {
    cause: 'noise on stdout',
    line: `It writes to stdout what is no message: ${quoted}; only messages may stand there, all else belongs on stderr`,
    command: `${commandLine(target)} </dev/null 2>/dev/null | head -n 5`,
  }
}

function outOfMemory(target: SpawnTarget, said: string | undefined, signal: string | null | undefined): Finding {
  const line = said
    ? `It ran out of memory: ${said}`
    : `It was ended by ${signal}, as the system does with what takes too much memory`
  return { cause: 'memory', line, command: `NODE_OPTIONS=--max-old-space-size=4096 ${commandLine(target)}` }
}

function portTaken(port: string): Finding {
  const command = `lsof -nP -iTCP:${port} -sTCP:LISTEN`
  return { cause: 'port', line: `It wants port ${port}, which another program has`, command }
}

/** A variable that a server wants and does not get. */
export function missingVariable({ words, source }: Patient, name: string, said: string): Finding {
  const line = `It wants the variable ${name}: ${said}`
  if (words.startsWith('-- '))
    return { cause: 'variable', line, command: `trunkline tools --env ${name}=VALUE ${words}` }
  return { cause: 'variable', line, command: editCommand({ words, source }) }
}

/** The command that opens the configuration of a server at its line. */
export function editCommand({ words, source }: Pick<Patient, 'words' | 'source'>): string {
  if (source === undefined) return explain(words)
  return `\${EDITOR:-vi} +${source.split(':').at(-1)} ${shellWord(source.replace(/:\d+$/, ''))}`
}

function explain(name: string): string {
  return `trunkline config explain mcpServers.${name}`
}

function commandLine({ command, args = [] }: SpawnTarget): string {
  return [command, ...args].map(shellWord).join(' ')
}
