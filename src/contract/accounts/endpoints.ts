// All endpoints of accounts, and the shapes that have names of their own in the description of the interface.
import { SecondFactor, secondFactorEndpoints } from './second-factor.ts'
import { Identity, Session, sessionEndpoints } from './sessions.ts'
import { SignOn, signOnEndpoints } from './sign-on.ts'
import { Allowed, User } from './user.ts'
import { ListedUser, Token, userEndpoints } from './users.ts'

export const accountEndpoints = { ...sessionEndpoints, ...secondFactorEndpoints, ...signOnEndpoints, ...userEndpoints }

export const accountShapes = { User, ListedUser, Token, Allowed, Session, Identity, SecondFactor, SignOn }
