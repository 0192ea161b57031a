import type { InstallScript } from './package-manager.ts'

/** A package was fetched, and wants to run install scripts that no person has seen. */
export class InstallScriptsError extends Error {
  override readonly name = 'InstallScriptsError'
  readonly scripts: readonly string[]

  constructor(server: string, scripts: readonly string[]) {
    super(`Cannot accept server "${server}" yet: ${scripts.join('; ')}; look at that and accept it again`)
    this.scripts = scripts
  }
}

/** Install scripts, one line each, for the person who agrees to them. */
export function scriptLines(scripts: readonly InstallScript[]): readonly string[] {
  return scripts.map(({ package: name, name: script, command }) => `install script ${script} of ${name}: ${command}`)
}
