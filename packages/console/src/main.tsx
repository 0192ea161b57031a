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
import { router } from './router.tsx'
import { applyTheme } from './shell/theme.ts'

applyTheme()
const code = takeCode()
// an old code must not end a page that is signed in
if (code !== undefined) await signIn(code).catch(() => {})
if (pageSecret() === undefined) link.set('signed out')
else void followHost({ onEvents: applyEvents, onOpen: refreshEverything }, new AbortController().signal)

const place = document.getElementById('root')
if (!place) throw new Error('Cannot show the console: index.html has no place for it')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
