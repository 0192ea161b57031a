import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyEvents, refreshEverything } from './host/apply-events.ts'
import { followHost, link } from './host/link.ts'
import { queryClient } from './host/queries.ts'
import { pageSecret } from './host/secret.ts'
import { signIn, takeCode } from './host/sign-in.ts'
import { signInByOpenPage, vouchForNewPages } from './host/vouch.ts'
import { router } from './router.tsx'
import { applyTheme } from './shell/theme.ts'

/** Time in which another page may answer before the way to sign in is shown, in milliseconds. */
const askedMs = 300

applyTheme()
const code = takeCode()
// an old code must not end a page that is signed in
if (code !== undefined) await signIn(code).catch(() => {})
if (pageSecret() === undefined) {
  const vouched = signInByOpenPage()
  // an open page answers at once; without one, the way to sign in is shown meanwhile
  await Promise.race([vouched, new Promise((resolve) => setTimeout(resolve, askedMs))])
  if (pageSecret() === undefined) link.set('signed out')
  void vouched.then(begin)
} else begin()

function begin(): void {
  link.set('opening')
  vouchForNewPages()
  void followHost({ onEvents: applyEvents, onOpen: refreshEverything }, new AbortController().signal)
}

const place = document.getElementById('root')
if (!place) throw new Error('Cannot show the console: index.html has no place for it')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
