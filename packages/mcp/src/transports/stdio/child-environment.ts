import type { SpawnTarget } from './spawn-target.ts'

const posixNames = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

const windowsNames = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMDRIVE', 'SYSTEMROOT'],
  ...['TEMP', 'TMP', 'USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** The environment of a child: what it starts from, a few safe variables of this process by default, and those that were given. */
export function childEnvironment(
  { env = {}, baseEnv, inheritEnv = [] }: SpawnTarget,
  platform = process.platform,
): Record<string, string> {
  const safe = platform === 'win32' ? windowsNames : posixNames
  const names = [...(baseEnv ? [] : safe), ...inheritEnv]
  const inherited = names.flatMap((name) => {
    const value = process.env[name]
    // some shells run such a value as a function
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  const all = [...Object.entries(baseEnv ?? {}), ...inherited, ...Object.entries(env)]
  return Object.fromEntries(platform === 'win32' ? onceOnWindows(all) : all)
}

/** On Windows `Path` and `PATH` are one variable, and of two only one would count; the last one does. */
function onceOnWindows(variables: readonly (readonly [string, string])[]): Iterable<readonly [string, string]> {
  const byName = new Map<string, readonly [string, string]>()
  for (const [name, value] of variables) {
    const upper = name.toUpperCase()
    byName.set(upper, [windowsNames.includes(upper) ? upper : name, value])
  }
  return byName.values()
}
