import type { PackageCommand } from './package-command.ts'
import type { ManagerOptions } from './run-manager.ts'

/** A package that lies in a folder of its own. */
export interface InstalledProgram {
  readonly package: string
  readonly version: string
  /** The program to start. */
  readonly path: string
  /** The digest of the package that the registry gives, where it gives one. */
  readonly integrity?: string
}

/** A command that a package wants to be run when it is installed. */
export interface InstallScript {
  /** The package, with its version. */
  readonly package: string
  /** Its name, such as `postinstall`. */
  readonly name: string
  readonly command: string
}

/** A package that was fetched; nothing of it has run. */
export interface UnpackedProgram extends InstalledProgram {
  readonly scripts: readonly InstallScript[]
}

/** Functions of a package manager. */
export interface PackageManager {
  /** Fetches a package with all it needs into a folder, and runs nothing of it. */
  unpack(command: PackageCommand, folder: string, options: ManagerOptions): Promise<UnpackedProgram>
  /** Runs the install scripts of a package that was unpacked into a folder, once a person has agreed to them. */
  runScripts(command: PackageCommand, folder: string, options: ManagerOptions): Promise<InstalledProgram>
  /** The newest version that the command would fetch. */
  available(command: PackageCommand, options: ManagerOptions): Promise<string>
}
