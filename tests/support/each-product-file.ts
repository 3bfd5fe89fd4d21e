import { recordReachedRoutes } from './reached-routes.ts';
recordReachedRoutes();
