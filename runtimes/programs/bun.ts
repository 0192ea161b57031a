import { check, serve } from './site.ts'

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch: (request: Request) => Promise<Response> }): {
    readonly port: number
    stop(force: boolean): Promise<void>
  }
}

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
console.log(JSON.stringify(await check(server.port)))
await server.stop(true)
