/** A registry of packages on loopback, in which versions can be published. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Registry extends AsyncDisposable {
  readonly url: string
  /** The versions whose content was fetched, in order. */
  readonly fetched: readonly string[]
  /** Publishes what is packed at a path; what is there under that version is replaced. */
  publish(version: string, path: string): void
}

/** Starts a registry with one package. */
export async function packageRegistry(name: string, bin: object): Promise<Registry> {
  const versions = new Map<string, Buffer>()
  const fetched: string[] = []
  const http = createServer((request, response) => {
    const [, version] = /\/-\/(.+)\.tgz$/.exec(request.url ?? '') ?? []
    const content = version === undefined ? undefined : versions.get(version)
    if (version !== undefined && content) {
      fetched.push(version)
      return void response.end(content)
    }
    if (decodeURIComponent(request.url ?? '') !== `/${name}`) return void response.writeHead(404).end('{}')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packument()))
  })
  const packument = () => ({
    name,
    'dist-tags': { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries([...versions].map(([version, content]) => [version, manifest(version, content)])),
  })
  const manifest = (version: string, content: Buffer) => ({
    ...{ name, version, bin },
    dist: {
      tarball: `${url()}/-/${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    },
  })
  const url = (): string => `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: url(),
    fetched,
    publish: (version, path) => void versions.set(version, readFileSync(path)),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
