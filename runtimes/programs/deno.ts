import { check, serve } from './site.ts'

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handle: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number } }
  exit(code: number): never
}

const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => {} }, serve)
console.log(JSON.stringify(await check(server.addr.port)))
Deno.exit(0)
