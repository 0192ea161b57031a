import { type ChildProcess, spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { superviseGroup } from '@trunkline/mcp/stdio'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'

/** A run of the program git. */
export interface GitRun {
  readonly cwd: string
  readonly args: readonly string[]
  /** Variables on top of the cleaned environment. */
  readonly env?: { readonly [name: string]: string }
  /** Settings on top of those that every run has. */
  readonly settings?: readonly Setting[]
  readonly input?: string | Uint8Array
  readonly maxBytes: number
  readonly maxMs: number
  readonly signal?: AbortSignal | undefined
  /** True for a run that starts other programs: they end with it. @default false */
  readonly endsGroup?: boolean
}

/** A setting of git with its value; stronger than every file. */
export type Setting = readonly [key: string, value: string]

/** The end of a run. */
export interface GitOutcome {
  readonly code: number
  readonly output: Buffer
  readonly complaint: string
  /** True if git had more to say than was read. */
  readonly isCut: boolean
}

/** Settings of every run: nothing is started by a repository, and nothing reads what a person formatted for themselves. */
const always: readonly Setting[] = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.alternateRefsCommand', ''],
  ['core.abbrev', 'no'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.quotePath', 'false'],
  ['log.showSignature', 'false'],
  ['diff.external', ''],
  ['diff.orderFile', devNull],
  ['diff.ignoreSubmodules', 'all'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['color.ui', 'false'],
  ['advice.detachedHead', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['i18n.commitEncoding', 'UTF-8'],
]

/** Variables of git that belong to the person; all others are dropped, since they would lead elsewhere. */
const kept =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_\w+|SSH|SSH_COMMAND|SSH_VARIANT|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|SSL_\w+|TRACE2?(?:_\w+)?)$/

/** Starts git, never a shell, and reads its answer up to a limit. */
export function runGit(run: GitRun): Promise<GitOutcome> {
  const { cwd, args, input, maxBytes, maxMs, signal, endsGroup = false } = run
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--no-pager', ...args], {
      cwd,
      env: gitEnvironment(run),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: endsGroup && process.platform !== 'win32',
    })
    const forget = endsGroup && child.pid !== undefined ? superviseGroup(child.pid) : () => {}
    const stop = () => (endsGroup ? endGroup(child) : child.kill('SIGKILL'))
    const parts: Buffer[] = []
    const complaints: Buffer[] = []
    let [bytes, complained, isCut, isLate] = [0, 0, false, false]
    const timer = setTimeout(() => {
      isLate = true
      stop()
    }, maxMs)
    signal?.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', (part: Buffer) => {
      if (isCut) return
      parts.push(part)
      bytes += part.length
      isCut = bytes > maxBytes
      if (isCut) stop()
    })
    child.stderr.on('data', (part: Buffer) => {
      complained += part.length
      if (complained <= 65_536) complaints.push(part)
    })
    // a program that ended early does not read the rest
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      forget()
      reject(error.code === 'ENOENT' ? missing() : error)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      forget()
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) return reject(signal.reason)
      if (isLate) return reject(late(args, maxMs))
      const output = Buffer.concat(parts).subarray(0, maxBytes)
      resolve({ code: code ?? 1, output, complaint: Buffer.concat(complaints).toString(), isCut })
    })
  })
}

/** Ends git and the programs that it started. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    const words = ['/pid', `${child.pid}`, '/T', '/F']
    spawn('taskkill', words, { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill('SIGKILL'))
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // all of them have ended
  }
}

/** The environment of git: that of the person, without what would lead it elsewhere or let it ask at a terminal. */
function gitEnvironment({ env, settings = [] }: GitRun): { [name: string]: string } {
  const own = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && (!/^GIT_/i.test(pair[0]) || kept.test(pair[0])),
  )
  const all = [...always, ...settings]
  const pairs = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C.UTF-8',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: 'false',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // objects that are missing are not fetched by the way
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...env,
    GIT_CONFIG_COUNT: `${all.length}`,
    ...Object.fromEntries(pairs),
  }
}

function missing(): ToolProblem {
  return new ToolProblem('unavailable', 'Cannot start git: there is no such program', {
    next: 'Install git 2.38 or newer',
  })
}

function late(args: readonly string[], maxMs: number): ToolProblem {
  return new ToolProblem('unavailable', `Cannot wait for "git ${args[0]}": it took longer than ${maxMs / 1_000} s`, {
    next: 'Ask for less: a path, a later date, fewer items',
  })
}
