import type { SpawnTarget } from './spawn-target.ts'

const posixNames = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

const windowsNames = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMDRIVE', 'SYSTEMROOT'],
  ...['TEMP', 'TMP', 'USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** The environment of a child: a few safe variables of this process, and those that were given. */
export function childEnvironment({ env = {}, inheritEnv = [] }: SpawnTarget): Record<string, string> {
  const names = [...(process.platform === 'win32' ? windowsNames : posixNames), ...inheritEnv]
  const inherited = names.flatMap((name) => {
    const value = process.env[name]
    // some shells run such a value as a function
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), ...env }
}
