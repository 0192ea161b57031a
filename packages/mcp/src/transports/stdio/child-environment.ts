import type { SpawnTarget } from './spawn-target.ts'

const posixNames = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

const windowsNames = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMDRIVE', 'SYSTEMROOT'],
  ...['TEMP', 'TMP', 'USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** The environment of a child: what it starts from, a few safe variables of this process by default, and those that were given. */
export function childEnvironment({ env = {}, baseEnv, inheritEnv = [] }: SpawnTarget): Record<string, string> {
  const safe = process.platform === 'win32' ? windowsNames : posixNames
  const names = [...(baseEnv ? [] : safe), ...inheritEnv]
  const inherited = names.flatMap((name) => {
    const value = process.env[name]
    // some shells run such a value as a function
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return { ...baseEnv, ...Object.fromEntries(inherited), ...env }
}
