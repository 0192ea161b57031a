import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeFileWhole } from '../store/write-file.ts'
import type { Places } from './places.ts'

/** The variables of a process. */
export interface ProcessVariables {
  readonly [name: string]: string | undefined
}

/** The search path, certificates and proxies of a person, as a terminal of theirs had them. */
export interface RecordedEnvironment {
  /** Time as in `Date.now()`. */
  readonly at: number
  readonly variables: { readonly [name: string]: string }
}

/** Variables that select the programs to run and the network trust of the host; in capitals. */
const recordedNames: ReadonlySet<string> = new Set([
  ...['PATH', 'XDG_CACHE_HOME', 'BROWSER'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'],
])

/** Variables that tell a host its user and its place. They set no policy: another home is another host. In capitals. */
const passedNames: ReadonlySet<string> = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
  ...['TRUNKLINE_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'],
  // the screen on which a person sees notices and pages
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP'],
  // where it is set, questions are refused
  'CI',
  ...['USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'PATHEXT', 'TEMP', 'TMP', 'PROGRAMFILES', 'NUMBER_OF_PROCESSORS'],
])

/** Variables that load code into programs or change their trust. */
const loadsCode =
  /^(?:LD_|DYLD_|NODE_|GIT_|PYTHON|PERL5|RUBY)|^(?:BASH_ENV|ENV|GCONV_PATH|JAVA_TOOL_OPTIONS|SSLKEYLOGFILE)$|^OPENSSL_/i

/** Starter of a host: a `client` that ran `trunkline stdio`, or any other `command` outside of a person's terminal. */
export type HostStarter = 'client' | 'command'

/**
 * The environment of a host that no person runs in a terminal: no settings, nothing that loads code, and the search path,
 * certificates and proxies that were recorded. Of a client's environment nothing else is left: an entry in a repository
 * can name variables, and must not decide for the host that all clients share.
 */
export function hostEnvironment(
  environment: ProcessVariables,
  starter: HostStarter,
  recorded: RecordedEnvironment['variables'] | undefined,
): { readonly [name: string]: string } {
  const isPassed = (name: string) => passedNames.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name)
  const isHarmless = (name: string) => !/^TRUNKLINE_/i.test(name) && !loadsCode.test(name) && !isRecorded(name)
  const passed = pick(environment, (name) => isPassed(name) || (starter === 'command' && isHarmless(name)))
  const found = recorded ?? (starter === 'command' ? pick(environment, isRecorded) : usualPath(environment))
  const shell = starter === 'client' ? loginShell() : undefined
  return { ...passed, ...(shell !== undefined && { SHELL: shell }), ...found }
}

function pick(environment: ProcessVariables, isWanted: (name: string) => boolean): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value] as const] : [],
    ),
  )
}

/** The certificates and proxies among variables, which package managers need to reach their registry. */
export function networkVariables(environment: ProcessVariables): { readonly [name: string]: string } {
  return pick(environment, (name) => isRecorded(name) && !notNetwork.has(name.toUpperCase()))
}

const notNetwork: ReadonlySet<string> = new Set(['PATH', 'XDG_CACHE_HOME', 'BROWSER'])

function isRecorded(name: string): boolean {
  return recordedNames.has(name.toUpperCase())
}

/** The search path of a host before any was recorded; the login shell adds its own, and Windows has none. */
function usualPath(environment: ProcessVariables): { readonly [name: string]: string } {
  if (process.platform !== 'win32') return { PATH: '/usr/local/bin:/usr/bin:/bin' }
  return pick(environment, (name) => name.toUpperCase() === 'PATH')
}

/** The shell that the system knows of the user, whatever a client says. */
function loginShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined
  } catch {
    // a user without an entry has none
    return undefined
  }
}

/** Keeps the search path, certificates and proxies of a person's terminal for hosts that clients start. */
export async function recordEnvironment(places: Pick<Places, 'state'>, environment: ProcessVariables): Promise<void> {
  const record: RecordedEnvironment = { at: Date.now(), variables: pick(environment, isRecorded) }
  await writeFileWhole(recordFile(places), `${JSON.stringify(record, null, 2)}\n`)
}

/** The recorded environment; undefined if no person ran `init`, `install` or `up` in a terminal yet. */
export async function recordedEnvironment(places: Pick<Places, 'state'>): Promise<RecordedEnvironment | undefined> {
  const text = await readFile(recordFile(places), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { at, variables } = JSON.parse(text) as RecordedEnvironment
    return { at: Number(at), variables: pick(variables, isRecorded) }
  } catch {
    throw new Error(`Cannot read "${recordFile(places)}": run "trunkline up" in a terminal, which writes it anew`)
  }
}

function recordFile({ state }: Pick<Places, 'state'>): string {
  return join(state, 'environment.json')
}
