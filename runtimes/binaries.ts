import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, 'node_modules')

/** The program that a package brings for this platform; each platform has a package of its own, of which npm installs one. */
export function binaryOf(name: string, path: string): string | undefined {
  const manifest = join(packages, name, 'package.json')
  if (!existsSync(manifest)) return undefined
  const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    optionalDependencies?: { [platform: string]: string }
  }
  const program = process.platform === 'win32' ? `${path}.exe` : path
  return Object.keys(optionalDependencies)
    .map((platform) => join(packages, platform, program))
    .find((file) => existsSync(file))
}
