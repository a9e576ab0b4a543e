import { lookAround } from './look';
import { repositories } from './rows/repositories';

lookAround('repositories', repositories);
