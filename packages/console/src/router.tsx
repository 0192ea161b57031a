import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { lazyScreen } from './shell/lazy-screen.ts'
import { NotFound } from './shell/not-found.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'
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

/** Empty component: the screen of the list draws the open entry, and so stays as it is: searched, scrolled, focused. */
function Nothing(): null {
  return null
}

/** Every screen has an address, and is loaded when it is first opened. */
const inbox = createRoute({
  getParentRoute: at,
  path: '/inbox',
  component: lazyScreen(() => import('./screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
})
const question = createRoute({ getParentRoute: () => inbox, path: '$id', component: Nothing })
const servers = createRoute({
  getParentRoute: at,
  path: '/servers',
  component: lazyScreen(() => import('./screens/servers/servers-screen.tsx'), 'ServersScreen'),
})

const addServer = createRoute({
  getParentRoute: at,
  path: '/servers/add',
  component: lazyScreen(() => import('./screens/servers/add-server-screen.tsx'), 'AddServerScreen'),
})
const server = createRoute({
  getParentRoute: at,
  path: '/servers/$name',
  component: lazyScreen(() => import('./screens/servers/server-screen.tsx'), 'ServerScreen'),
})

const tools = createRoute({
  getParentRoute: at,
  path: '/tools',
  component: lazyScreen(() => import('./screens/tools/tools-screen.tsx'), 'ToolsScreen'),
})
const tool = createRoute({ getParentRoute: () => tools, path: '$server/$name', component: Nothing })
const prompts = createRoute({
  getParentRoute: at,
  path: '/prompts',
  component: lazyScreen(() => import('./screens/prompts/prompts-screen.tsx'), 'PromptsScreen'),
})
const prompt = createRoute({ getParentRoute: () => prompts, path: '$server/$name', component: Nothing })
const resources = createRoute({
  getParentRoute: at,
  path: '/resources',
  component: lazyScreen(() => import('./screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
})
const resourcesOf = createRoute({ getParentRoute: () => resources, path: '$server', component: Nothing })
const resource = createRoute({ getParentRoute: () => resources, path: '$server/$name', component: Nothing })

const skills = createRoute({
  getParentRoute: at,
  path: '/skills',
  component: lazyScreen(() => import('./screens/skills/skills-screen.tsx'), 'SkillsScreen'),
})
const skill = createRoute({ getParentRoute: () => skills, path: '$server/$name', component: Nothing })

const chat = createRoute({
  getParentRoute: at,
  path: '/chat',
  component: lazyScreen(() => import('./screens/chat/chat-screen.tsx'), 'ChatScreen'),
})
const conversation = createRoute({ getParentRoute: () => chat, path: '$id', component: Nothing })

const activity = createRoute({
  getParentRoute: at,
  path: '/activity',
  validateSearch: ({ find }): { readonly find?: string } => (typeof find === 'string' ? { find } : {}),
  component: lazyScreen(() => import('./screens/activity/activity-screen.tsx'), 'ActivityScreen'),
})
const act = createRoute({ getParentRoute: () => activity, path: '$act', component: Nothing })
const policy = createRoute({
  getParentRoute: at,
  path: '/policy',
  validateSearch: askedAbout,
  component: lazyScreen(() => import('./screens/policy/policy-screen.tsx'), 'PolicyScreen'),
})
const connect = createRoute({
  getParentRoute: at,
  path: '/connect',
  component: lazyScreen(() => import('./screens/connect/connect-screen.tsx'), 'ConnectScreen'),
})
const connectOne = createRoute({ getParentRoute: () => connect, path: '$client', component: Nothing })

const settings = createRoute({
  getParentRoute: at,
  path: '/settings',
  component: lazyScreen(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})
const settingsSection = createRoute({ getParentRoute: () => settings, path: '$section', component: Nothing })

const routeTree = root.addChildren([
  home,
  inbox.addChildren([question]),
  servers,
  addServer,
  server,
  tools.addChildren([tool]),
  prompts.addChildren([prompt]),
  resources.addChildren([resourcesOf, resource]),
  skills.addChildren([skill]),
  chat.addChildren([conversation]),
  activity.addChildren([act]),
  policy,
  connect.addChildren([connectOne]),
  settings.addChildren([settingsSection]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ScreenFailed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The call that the policy is asked about. */
interface AskedAbout {
  readonly server?: string
  readonly tool?: string
  readonly client?: string
  /** The act that was such a call, with the arguments that were recorded. */
  readonly act?: string
}

function askedAbout(search: Record<string, unknown>): AskedAbout {
  const texts = ['server', 'tool', 'client', 'act'].filter((name) => typeof search[name] === 'string')
  return Object.fromEntries(texts.map((name) => [name, search[name]]))
}
