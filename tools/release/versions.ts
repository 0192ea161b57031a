import type { File } from '../lib/files.ts'

/** A manifest with the version that all packages of the workspace share, and with it where it depends on one of them. */
export function withVersion({ path, text }: File, version: string, ours: ReadonlySet<string>): File {
  const manifest = JSON.parse(text) as { readonly name: string; readonly version?: string }
  const own = manifest.version === undefined ? text : replaced(text, 'version', manifest.version, version)
  const changed = [...ours].reduce((all, name) => all.replaceAll(dependencyOn(name), `$1"${version}"`), own)
  return { path, text: changed }
}

/** Checks that a version follows another by Semantic Versioning. */
export function refuseVersion(version: string, before: string): void {
  const [wanted, known] = [version, before].map((one) => /^(\d+)\.(\d+)\.(\d+)$/.exec(one)?.slice(1).map(Number))
  if (!wanted || !known) throw new Error(`Cannot release "${version}": a version such as 0.2.0 is wanted`)
  const at = wanted.findIndex((number, index) => number !== known[index])
  if (at < 0 || (wanted[at] ?? 0) < (known[at] ?? 0))
    throw new Error(`Cannot release ${version}: it is not after ${before}`)
}

function replaced(text: string, key: string, from: string, to: string): string {
  return text.replace(`"${key}": "${from}"`, `"${key}": "${to}"`)
}

function dependencyOn(name: string): RegExp {
  return new RegExp(`("${name.replaceAll(/[/@-]/g, '\\$&')}": )"\\d+\\.\\d+\\.\\d+"`, 'g')
}
