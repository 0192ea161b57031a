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

const tools = createRoute({
  getParentRoute: at,
  path: '/tools',
  component: lazyRouteComponent(() => import('./screens/tools/tools-screen.tsx'), 'ToolsScreen'),
})
const tool = createRoute({
  getParentRoute: at,
  path: '/tools/$server/$name',
  component: lazyRouteComponent(() => import('./screens/tools/tools-screen.tsx'), 'ToolsScreen'),
})
const prompts = createRoute({
  getParentRoute: at,
  path: '/prompts',
  component: lazyRouteComponent(() => import('./screens/prompts/prompts-screen.tsx'), 'PromptsScreen'),
})
const prompt = createRoute({
  getParentRoute: at,
  path: '/prompts/$server/$name',
  component: lazyRouteComponent(() => import('./screens/prompts/prompts-screen.tsx'), 'PromptsScreen'),
})
const resources = createRoute({
  getParentRoute: at,
  path: '/resources',
  component: lazyRouteComponent(() => import('./screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
})
const resourcesOf = createRoute({
  getParentRoute: at,
  path: '/resources/$server',
  component: lazyRouteComponent(() => import('./screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
})
const resource = createRoute({
  getParentRoute: at,
  path: '/resources/$server/$name',
  component: lazyRouteComponent(() => import('./screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
})

const routeTree = root.addChildren([
  home,
  inbox,
  question,
  servers,
  addServer,
  server,
  tools,
  tool,
  prompts,
  prompt,
  resources,
  resourcesOf,
  resource,
])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
