import type { z } from 'zod'
import { acceptRoutes } from './accept-routes.ts'
import { activityRoutes } from './activity-routes.ts'
import { addRoutes } from './add-routes.ts'
import { catalogueRoutes } from './catalogue-routes.ts'
import { chatRoutes } from './chat-routes.ts'
import { clientRoutes } from './client-routes.ts'
import { connectRoutes } from './connect-routes.ts'
import { hostRoutes } from './host-routes.ts'
import { importRoutes } from './import-routes.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { lockRoutes } from './lock-routes.ts'
import { policyChangeRoutes } from './policy-change-routes.ts'
import { policyFileRoutes } from './policy-file-routes.ts'
import { policyRoutes } from './policy-routes.ts'
import { proofRoutes } from './proof-routes.ts'
import type { Route } from './route.ts'
import { runRoutes } from './run-routes.ts'
import { savedRequestRoutes } from './saved-request-routes.ts'
import { secretRoutes } from './secret-routes.ts'
import { serverChangeRoutes } from './server-change-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { taintRoutes } from './taint-routes.ts'
import { taskRoutes } from './task-routes.ts'

/** Every address of the API; the server and its clients are both typed by this table. */
export const routes = {
  ...hostRoutes,
  ...serverRoutes,
  ...addRoutes,
  ...serverChangeRoutes,
  ...secretRoutes,
  ...settingsRoutes,
  ...acceptRoutes,
  ...catalogueRoutes,
  ...lockRoutes,
  ...runRoutes,
  ...taskRoutes,
  ...inboxRoutes,
  ...ledgerRoutes,
  ...savedRequestRoutes,
  ...importRoutes,
  ...activityRoutes,
  ...connectRoutes,
  ...policyRoutes,
  ...taintRoutes,
  ...policyChangeRoutes,
  ...policyFileRoutes,
  ...proofRoutes,
  ...chatRoutes,
  ...clientRoutes,
} as const satisfies { readonly [name: string]: Route }

export type RouteName = keyof typeof routes

/** Input of a route: the parameters of its path, its query and its body together. */
export type RouteInput<Name extends RouteName> = Parameters<(typeof routes)[Name]['handle']>[0]

/** Answer of a route. */
export type RouteAnswer<Name extends RouteName> = z.output<(typeof routes)[Name]['answer']>
