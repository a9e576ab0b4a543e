import { others } from './chosen';
import { lookAround } from './look';
import { projects } from './rows/projects';

lookAround('projects', others(projects));
