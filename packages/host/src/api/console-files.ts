import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ownAddresses } from '../gateway/own-addresses.ts'
import { appFramePath, serveAppFrame } from './serve-app-frame.ts'

/** A file of the console, ready to be sent. */
interface ConsoleFile {
  readonly type: string
  readonly plain: Buffer
  readonly isImmutable: boolean
  /** The file compressed, once a browser asked for it: all of them at once would hold up the first page. */
  zipped?: Buffer
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Nothing inline, nothing from elsewhere, and no text that becomes markup: text of a server cannot run here. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "connect-src 'self'",
  // the page that holds an app, which has no origin
  "frame-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const always = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Paths that are served by others; the page has every other one. */
const elsewhere = /^\/(?:api|mcp|\.well-known)(?:\/|$)/
const minZippedBytes = 1_024
const notBuilt =
  'The console is not built. In a checkout of the sources, "npm install" builds it; the command works without it.\n'

/** Serves the console as it was built into a folder; it is read once, when the first page asks. */
export class ConsoleFiles {
  readonly #folder: string
  #files: ReadonlyMap<string, ConsoleFile> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Answers a request for a file or a screen; false when it is for something else. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (path === appFramePath && request.method === 'GET') return serveAppFrame(request, response)
    if (elsewhere.test(path) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    // each screen has an address of its own, and all are the one page
    const wantsPage = request.headers.accept?.includes('text/html') === true || path === '/'
    this.#files ??= readFolder(this.#folder)
    const file = this.#files.get(path) ?? (wantsPage ? this.#files.get('/index.html') : undefined)
    if (!file && !(wantsPage && this.#files.size === 0)) return false
    if (!ownAddresses(request).includes(request.headers.host ?? '')) sendText(response, 403, 'This is not my name\n')
    else if (file) sendFile(request, response, file)
    else sendText(response, 503, notBuilt)
    return true
  }
}

function sendFile({ headers, method }: IncomingMessage, response: ServerResponse, file: ConsoleFile): void {
  const { type, plain, isImmutable } = file
  const isZipped = plain.length >= minZippedBytes && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  if (isZipped) file.zipped ??= gzipSync(plain)
  const body = isZipped && file.zipped ? file.zipped : plain
  response.writeHead(200, {
    ...always,
    'content-type': type,
    'content-length': body.length,
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...always, 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

function readFolder(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>()
  for (const entry of entriesOf(folder)) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const plain = readFileSync(path)
    const address = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/')
    files.set(address, {
      type,
      plain,
      // these have the hash of their content in their name
      isImmutable: address.startsWith('/assets/'),
    })
  }
  return files
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
