import { z } from 'zod'
import { activityRoutes } from './activity-routes.ts'
import { chatRoutes } from './chat-routes.ts'
import { connectRoutes } from './connect-routes.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { policyRoutes } from './policy-routes.ts'
import { proofRoutes } from './proof-routes.ts'
import type { Route } from './route.ts'
import * as s from './schemas.ts'
import { serverRoutes } from './server-routes.ts'
import { taskRoutes } from './task-routes.ts'

const done = z.object({ done: z.literal(true) })
const list = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) })

/** Every address of the API; the server and its clients are both typed by this table. */
export const routes = {
  status: { method: 'GET', path: '/api/status', needs: 'nothing', says: 'How the host is doing', answer: s.hostStatus },
  servers: {
    method: 'GET',
    path: '/api/servers',
    needs: 'nothing',
    says: 'Every configured server, and those that are disabled',
    answer: s.serverList,
  },
  server: {
    method: 'GET',
    path: '/api/servers/{server}',
    needs: 'nothing',
    says: 'What a server that runs says of itself',
    answer: s.serverDetail,
  },
  addServer: {
    method: 'POST',
    path: '/api/servers',
    needs: 'person',
    says: 'Writes a server into the configuration; it does not start before it is accepted',
    body: z.strictObject({ name: z.string(), entry: s.newServerEntry }),
    answer: done,
  },
  removeServer: {
    method: 'DELETE',
    path: '/api/servers/{server}',
    needs: 'person',
    says: "Takes a server out of the person's own configuration",
    answer: done,
  },
  readServers: {
    method: 'POST',
    path: '/api/config/read',
    needs: 'nothing',
    says: "The servers in a text of any client's configuration; nothing is written",
    body: z.strictObject({ text: z.string() }),
    answer: z.object({
      items: z.array(z.object({ name: z.string(), entry: z.record(z.string(), z.unknown()) })),
      problems: z.array(z.string()),
    }),
  },
  log: {
    method: 'GET',
    path: '/api/servers/{server}/log',
    needs: 'nothing',
    says: 'The last lines a server wrote to stderr',
    answer: list(s.logLine),
  },
  acceptServer: {
    method: 'POST',
    path: '/api/servers/{server}/accept',
    needs: 'person',
    says: 'Accepts a server with exactly the command a person saw, starts it and pins what it offers',
    body: z.strictObject({
      commandHash: z.string(),
      code: z.string().optional().describe('What the terminal shows; a page needs it'),
    }),
    answer: z.object({
      setAside: z.array(s.catalogueEntry),
      proposes: z.string().optional().describe('A sandbox that leaves it what its tools say they touch'),
      scripts: z
        .array(z.string())
        .optional()
        .describe('Install scripts of its package that a person has to see first; it was not accepted yet'),
    }),
  },
  makeAcceptCode: {
    method: 'POST',
    path: '/api/servers/{server}/accept-code',
    needs: 'person',
    says: 'Shows a code in the terminal with which a page can accept a server',
    answer: z.object({ expiresAt: z.number() }),
  },
  acceptCodes: {
    method: 'GET',
    path: '/api/accept-codes',
    needs: 'terminal',
    says: 'The codes with which pages can accept servers; for the command alone',
    answer: list(z.object({ server: z.string(), code: z.string(), expiresAt: z.number() })),
  },
  restart: {
    method: 'POST',
    path: '/api/servers/{server}/restart',
    needs: 'nothing',
    says: 'Starts a server anew',
    answer: done,
  },
  stop: {
    method: 'POST',
    path: '/api/servers/{server}/stop',
    needs: 'nothing',
    says: 'Stops a server until it is restarted',
    answer: done,
  },
  login: {
    method: 'POST',
    path: '/api/servers/{server}/login',
    needs: 'nothing',
    says: 'Signs in to a server; answers with the page to visit where somebody has to',
    answer: s.signIn,
  },
  logout: {
    method: 'DELETE',
    path: '/api/servers/{server}/login',
    needs: 'person',
    says: 'Forgets the tokens for a server, and ends the connection that used them',
    answer: done,
  },
  trust: {
    method: 'POST',
    path: '/api/servers/{server}/trust',
    needs: 'person',
    says: 'Asks nothing about a server for a while, but what destroys',
    body: z.strictObject({ minutes: z.number().int().min(1).max(480), client: z.string().optional() }),
    answer: z.object({ clients: z.array(z.string()) }),
  },
  catalogue: {
    method: 'GET',
    path: '/api/catalogue',
    needs: 'nothing',
    says: 'Everything servers offer',
    answer: list(s.catalogueEntry),
  },
  changeEntry: {
    method: 'PATCH',
    path: '/api/catalogue/{server}/{tool}',
    needs: 'person',
    says: 'Decides on the class of a tool, or hides it',
    body: z.strictObject({ class: s.toolClass.optional(), isHidden: z.boolean().optional() }),
    answer: done,
  },
  diff: {
    method: 'GET',
    path: '/api/diff',
    needs: 'nothing',
    says: 'What servers offer now against what was accepted; only what differs',
    query: z.strictObject({ server: z.string().optional() }),
    answer: z.object({ items: z.array(s.definitionChange), cannotTell: z.array(s.cannotTell) }),
  },
  lock: {
    method: 'POST',
    path: '/api/lock',
    needs: 'nothing',
    says: 'Writes what was accepted into the lock of each layer',
    answer: list(z.object({ file: z.string(), servers: z.array(z.string()), isChanged: z.boolean() })),
  },
  verifyLock: {
    method: 'GET',
    path: '/api/lock/verify',
    needs: 'nothing',
    says: 'How what servers are and offer now compares with the locks',
    answer: list(s.lockFinding),
  },
  outdated: {
    method: 'GET',
    path: '/api/outdated',
    needs: 'nothing',
    says: 'The accepted version of each program, and the newest one that its command would fetch',
    answer: list(s.outdatedServer),
  },
  planUpdate: {
    method: 'POST',
    path: '/api/servers/{server}/update/plan',
    needs: 'person',
    says: 'Installs the newest version beside the accepted one, and tells what it would change',
    answer: s.updatePlan,
  },
  update: {
    method: 'POST',
    path: '/api/servers/{server}/update',
    needs: 'person',
    says: 'Runs the version that a person looked at; when it does not start, the old one runs on',
    body: z.strictObject({ digest: z.string() }),
    answer: s.updatePlan,
  },
  callTool: {
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/call',
    needs: 'person',
    says: 'Calls a tool for the person at the page; events tell its progress, and closing the request cancels it',
    body: z.strictObject({ run: z.string().max(100), arguments: z.record(z.string(), z.unknown()), by: s.runBy }),
    answer: s.run,
  },
  writtenCall: {
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/request',
    needs: 'person',
    says: 'The HTTP request with which a client calls a tool, to be used elsewhere; nothing is called',
    body: z.strictObject({ arguments: z.record(z.string(), z.unknown()) }),
    answer: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
  },
  getPrompt: {
    method: 'POST',
    path: '/api/servers/{server}/prompts/{prompt}/get',
    needs: 'person',
    says: 'Fills in a prompt',
    body: z.strictObject({ arguments: z.record(z.string(), z.string()) }),
    answer: s.run,
  },
  readResource: {
    method: 'POST',
    path: '/api/servers/{server}/resources/read',
    needs: 'person',
    says: 'Reads a resource',
    body: z.strictObject({
      uri: z.string(),
      variables: z.record(z.string(), z.string()).optional().describe('With these, the address is a template'),
      by: s.runBy,
    }),
    answer: s.run,
  },
  resources: {
    method: 'GET',
    path: '/api/servers/{server}/resources',
    needs: 'nothing',
    says: 'One page of the resources a server lists',
    query: z.strictObject({ cursor: z.string().optional() }),
    answer: s.run,
  },
  complete: {
    method: 'POST',
    path: '/api/servers/{server}/complete',
    needs: 'nothing',
    says: 'What a server proposes for an argument of a prompt or of a template',
    body: z.strictObject({
      prompt: z.string().optional(),
      template: z.string().optional(),
      argument: z.string(),
      value: z.string(),
      context: z.record(z.string(), z.string()).optional(),
    }),
    answer: list(z.string()),
  },
  inbox: {
    method: 'GET',
    path: '/api/inbox',
    needs: 'nothing',
    says: 'Questions that wait, oldest first',
    answer: list(s.question),
  },
  questionContext: {
    method: 'GET',
    path: '/api/inbox/{id}/context',
    needs: 'nothing',
    says: 'What a person wants to know before they answer',
    answer: s.questionBackground,
  },
  answer: {
    method: 'POST',
    path: '/api/inbox/{id}',
    needs: 'person',
    says: 'Answers a question; the first answer wins',
    body: s.answer,
    answer: done,
  },
  grants: {
    method: 'GET',
    path: '/api/grants',
    needs: 'nothing',
    says: 'What answers permit at the moment without a question, newest first',
    answer: list(s.grant),
  },
  revokeGrant: {
    method: 'DELETE',
    path: '/api/grants/{id}',
    needs: 'person',
    says: 'Takes back what one answer permits',
    answer: s.grant,
  },
  ...ledgerRoutes,
  ...serverRoutes,
  ...activityRoutes,
  ...connectRoutes,
  ...policyRoutes,
  ...proofRoutes,
  ...chatRoutes,
  ...taskRoutes,
  explainConfig: {
    method: 'GET',
    path: '/api/config/explain',
    needs: 'nothing',
    says: 'Where the value of a setting came from and what it hid',
    query: z.strictObject({ key: z.string() }),
    answer: list(s.keyExplanation),
  },
  acceptFile: {
    method: 'POST',
    path: '/api/config/accept',
    needs: 'person',
    says: 'Accepts what a project file permits, exactly as a person saw it',
    body: z.strictObject({ file: z.string(), hash: z.string() }),
    answer: done,
  },
  mayDecide: {
    method: 'GET',
    path: '/api/may-decide',
    needs: 'nothing',
    says: 'Whether what asks may decide for the person, and why not',
    answer: z.object({ refusal: z.string().optional() }),
  },
  clients: {
    method: 'GET',
    path: '/api/clients',
    needs: 'nothing',
    says: 'The programs that have a token, and the names of those that were revoked',
    answer: z.object({ items: z.array(s.client), revoked: z.array(z.string()) }),
  },
  addClient: {
    method: 'POST',
    path: '/api/clients',
    needs: 'person',
    says: 'Gives a program a token; one of the same name loses its own',
    body: z.strictObject({ name: z.string(), isApprover: z.boolean().optional() }),
    answer: z.object({ token: z.string() }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/clients/{name}',
    needs: 'person',
    says: 'Ends the token of a program',
    answer: done,
  },
  code: {
    method: 'POST',
    path: '/api/codes',
    needs: 'terminal',
    says: 'Makes a code that opens the console once, within a minute',
    answer: z.object({ code: z.string(), expiresAt: z.number(), page: z.string().describe('Where the console is') }),
  },
  openConsole: {
    method: 'POST',
    path: '/api/console/open',
    needs: 'person',
    says: 'Opens the console in the browser that the host knows; the code is told to nothing else',
    answer: z.object({ isOpen: z.boolean() }),
  },
  session: {
    method: 'POST',
    path: '/api/session',
    needs: 'nothing',
    says: 'Trades a code for the secret of a page; needs no token',
    body: z.strictObject({ code: z.string() }),
    answer: z.object({ secret: z.string() }),
  },
  down: { method: 'POST', path: '/api/down', needs: 'nothing', says: 'Ends the host', answer: done },
} as const satisfies { readonly [name: string]: Route }

export type RouteName = keyof typeof routes

type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & Parameters<Rest>
  : unknown
type Member<Name extends RouteName, Key extends 'query' | 'body'> = (typeof routes)[Name] extends {
  readonly [K in Key]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : unknown

/** Input of a route: the parameters of its path, its query and its body together. */
export type RouteInput<Name extends RouteName> = Parameters<(typeof routes)[Name]['path']> &
  Member<Name, 'query'> &
  Member<Name, 'body'>

/** Answer of a route. */
export type RouteAnswer<Name extends RouteName> = z.output<(typeof routes)[Name]['answer']>
