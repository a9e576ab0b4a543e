import { lookAround } from './look';
import { projects } from './rows/projects';

lookAround('projects', projects);
