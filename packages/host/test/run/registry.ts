/** A registry of packages on loopback, in which versions can be published. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The commands of install scripts by their steps. */
type InstallScripts = { readonly [step: string]: string }

interface Published {
  readonly content: Buffer
  readonly scripts: InstallScripts | undefined
}

export interface Registry extends AsyncDisposable {
  readonly url: string
  /** The versions whose content was fetched, in order. */
  readonly fetched: readonly string[]
  /** Publishes the package at a path, with its install scripts; an earlier one of that version is replaced. */
  publish(version: string, path: string, scripts?: InstallScripts): void
}

/** A registry that speaks TLS, under a name that its certificate is for. */
export interface SecureName {
  readonly name: string
  readonly key: Buffer
  readonly cert: Buffer
}

/** Starts a registry with one package. */
export async function packageRegistry(name: string, bin: object, secure?: SecureName): Promise<Registry> {
  const versions = new Map<string, Published>()
  const fetched: string[] = []
  const listener: RequestListener = (request, response) => {
    const [, version] = /\/-\/(.+)\.tgz$/.exec(request.url ?? '') ?? []
    const content = version === undefined ? undefined : versions.get(version)?.content
    if (version !== undefined && content) {
      fetched.push(version)
      return void response.end(content)
    }
    if (decodeURIComponent(request.url ?? '') !== `/${name}`) return void response.writeHead(404).end('{}')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packument()))
  }
  const http = secure ? createSecureServer(secure, listener) : createServer(listener)
  const packument = () => ({
    name,
    'dist-tags': { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries([...versions].map(([version, published]) => [version, manifest(version, published)])),
  })
  // npm runs the scripts of a package only where its registry says that there are some
  const manifest = (version: string, { content, scripts }: Published) => ({
    ...{ name, version, bin, ...(scripts && { scripts, hasInstallScript: true }) },
    dist: {
      tarball: `${url()}/-/${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    },
  })
  const origin = secure ? `https://${secure.name}` : 'http://127.0.0.1'
  const url = (): string => `${origin}:${(http.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: url(),
    fetched,
    publish: (version, path, scripts) => void versions.set(version, { content: readFileSync(path), scripts }),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
