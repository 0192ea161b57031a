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

/** What is asked of a package manager. */
export interface PackageManager {
  /** Fetches a package with all it needs into a folder. */
  install(command: PackageCommand, folder: string, options: ManagerOptions): Promise<InstalledProgram>
  /** The newest version that the command would fetch. */
  available(command: PackageCommand, options: ManagerOptions): Promise<string>
}
