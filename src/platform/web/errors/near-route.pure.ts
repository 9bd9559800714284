import { editDistance, eitherOf, fold } from '../../kernel/errors/similar-names.pure.js';

/** A registered route. */
export interface RouteName {
  method: string;
  /** The path, with parameters as `:name`. */
  template: string;
}

/** Longer paths are not compared. */
const MAX_SEGMENTS = 12;
const MAX_SEGMENT_LENGTH = 64;
/** Costs of differences; a route with a cost above {@link MAX_COST} is not suggested. */
const MISTYPED = 1;
const PARAMETER = 0.25;
/** A word where an id belongs. */
const UNLIKELY_PARAMETER = 0.75;
const ADDED_OR_MISSING = 1.5;
/** At the end of a path it is the less likely mistake. */
const ADDED_OR_MISSING_AT_END = 1.6;
const OTHER_METHOD = 0.5;
/** A page for customers, for a request to the API. */
const OUTSIDE_OF_API = 2;
const MAX_COST = 3;
const IN_API = /^\/+api(\/|$)/i;

const MAX_NAMED = 3;
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const OVERVIEW = 'GET /api/openapi.json lists every route, and /api/docs shows them to people.';

/** The hint of a 404 for a path that no route has. */
export function describeUnknownRoute(routes: readonly RouteName[], method: string, path: string): string {
  const near = nearestRoute(routes, method, path);
  const said = [...describePath(path), ...(near ? [`Did you mean ${print(near)}?`] : [OVERVIEW])];
  return said.join(' ');
}

/** The hint of a 405. @param allowed methods of the path, e.g. GET and HEAD */
export function describeWrongMethod(
  routes: readonly RouteName[],
  method: string,
  path: string,
  allowed: readonly string[],
): string {
  const offered = allowed.filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
  const takes = `This address takes ${offered.join(', ')} only.`;
  if (method === 'PATCH' && offered.includes('PUT'))
    return `${takes} PUT changes the fields that are sent, and no others.`;
  // A GET of an action's path has the wrong method, not the wrong path.
  if (!CHANGING.has(method)) return takes;
  const below = routes.filter((route) => isBelow(route.template, path) && route.method !== 'GET');
  const sameMethod = nearestRoute(
    routes.filter((route) => route.method === method),
    method,
    path,
  );
  const others = [...(sameMethod ? [sameMethod] : []), ...below.filter((route) => route !== sameMethod)];
  if (others.length > 0) return `${takes} Did you mean ${eitherOf(others.slice(0, MAX_NAMED).map(print))}?`;
  const creation = offered.includes('DELETE') ? findCreation(routes, path) : null;
  return creation && CHANGING.has(method)
    ? `${takes} What is here cannot be changed: delete it, and create another one by ${print(creation)}.`
    : takes;
}

/** The route that creates members of the collection to which the path belongs, or null. */
function findCreation(routes: readonly RouteName[], path: string): RouteName | null {
  const collection = segmentsOf(path).slice(0, -1);
  return (
    routes.find((route) => route.method === 'POST' && names(segmentsOf(route.template), collection)) ?? null
  );
}

/** A route as in the documentation, with parameters as `{paymentId}`. */
function print({ method, template }: RouteName): string {
  return `${method} ${template.replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** Mistakes in a path that do not depend on the routes. */
function describePath(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.some((segment, at) => segment === '' && at < segments.length - 1))
    return ['The path has an empty segment; does the base address end in a slash, or is a variable not set?'];
  if (segments.some((segment) => /^v\d+(\.\d+)?$/i.test(segment))) return ['Paths have no version segment.'];
  if (segments[0]?.toLowerCase() !== 'api') return ['The paths of the API begin with /api/.'];
  return segments[1]?.toLowerCase() === 'api'
    ? ['/api appears twice; the base address must not contain it.']
    : [];
}

function nearestRoute(routes: readonly RouteName[], method: string, path: string): RouteName | null {
  const wanted = segmentsOf(path);
  const isTooLong = wanted.length > MAX_SEGMENTS || wanted.some(({ length }) => length > 512);
  if (wanted.length === 0 || isTooLong) return null;
  let [nearest, least]: [RouteName | null, number] = [null, MAX_COST];
  for (const route of routes) {
    const cost =
      distance(wanted, segmentsOf(route.template)) +
      (route.method === method ? 0 : OTHER_METHOD) +
      (IN_API.test(path) && !IN_API.test(route.template) ? OUTSIDE_OF_API : 0);
    if (cost < least) [nearest, least] = [route, cost];
  }
  return nearest;
}

/** The segments without `api`, versions and empty ones. */
function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && !/^(api|v\d+(\.\d+)?)$/i.test(segment));
}

/** Whether a route is an action on, or a collection of, the object of the path. */
function isBelow(template: string, path: string): boolean {
  const segments = segmentsOf(template);
  return segments.at(-1)?.startsWith(':') === false && names(segments.slice(0, -1), segmentsOf(path));
}

function names(template: readonly string[], path: readonly string[]): boolean {
  const isNamed = (part: string, at: number) => part.startsWith(':') || part === path[at]?.toLowerCase();
  return template.length === path.length && template.every(isNamed);
}

/** The cost between two paths, by segments; at most one may be added or missing, and one word must be the same. */
function distance(wanted: readonly string[], template: readonly string[]): number {
  if (Math.abs(wanted.length - template.length) > 1) return Infinity;
  const variants =
    wanted.length === template.length
      ? [{ cost: 0, pairs: zip(wanted, template) }]
      : shorten(wanted, template).map(([a, b], at, { length }) => ({
          cost: at === length - 1 ? ADDED_OR_MISSING_AT_END : ADDED_OR_MISSING,
          pairs: zip(a, b),
        }));
  return Math.min(
    ...variants.map(({ cost, pairs }) =>
      pairs.some(([segment, part]) => wordCost(segment, part) < Infinity)
        ? pairs.reduce((sum, [segment, part]) => sum + segmentCost(segment, part), cost)
        : Infinity,
    ),
  );
}

/** All ways to leave out one segment of the longer one. */
function shorten(wanted: readonly string[], template: readonly string[]): [string[], string[]][] {
  const longer = wanted.length > template.length ? wanted : template;
  return longer.map((_, at) => {
    const shorter = longer.filter((_segment, index) => index !== at);
    return longer === wanted ? [shorter, [...template]] : [[...wanted], shorter];
  });
}

function zip(wanted: readonly string[], template: readonly string[]): [string, string][] {
  return wanted.map((segment, at) => [segment, template[at] ?? '']);
}

function segmentCost(segment: string, part: string): number {
  if (part.startsWith(':')) return /\d/.test(segment) ? PARAMETER : UNLIKELY_PARAMETER;
  return wordCost(segment, part);
}

function wordCost(segment: string, part: string): number {
  if (part.startsWith(':') || segment.length > MAX_SEGMENT_LENGTH) return Infinity;
  const [written, meant] = [fold(segment), fold(part)];
  if (written === meant) return segment === part ? 0 : MISTYPED;
  const allowed = meant.length >= 10 ? 2 : 1;
  return meant.length >= 4 && editDistance(written, meant) <= allowed ? MISTYPED : Infinity;
}
