import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const at = () => root

const home = createRoute({
  getParentRoute: at,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/servers', replace: true })
  },
})

/** Every screen has an address, and is loaded when it is first opened. */
const inbox = createRoute({
  getParentRoute: at,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
})
const question = createRoute({
  getParentRoute: at,
  path: '/inbox/$id',
  component: lazyRouteComponent(() => import('./screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
})
const servers = createRoute({
  getParentRoute: at,
  path: '/servers',
  component: lazyRouteComponent(() => import('./screens/servers/servers-screen.tsx'), 'ServersScreen'),
})

const addServer = createRoute({
  getParentRoute: at,
  path: '/servers/add',
  component: lazyRouteComponent(() => import('./screens/servers/add-server-screen.tsx'), 'AddServerScreen'),
})
const server = createRoute({
  getParentRoute: at,
  path: '/servers/$name',
  component: lazyRouteComponent(() => import('./screens/servers/server-screen.tsx'), 'ServerScreen'),
})

const routeTree = root.addChildren([home, inbox, question, servers, addServer, server])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
